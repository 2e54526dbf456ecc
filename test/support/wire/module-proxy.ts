import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { PackageRegistry } from './package-registry.ts';

export interface ScriptedModule {
  readonly path: string;
  readonly version: string;
  /** Text of its files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Modules that its go.mod requires, with their versions. */
  readonly needs?: readonly string[];
  /** Of its go.mod. */
  readonly go?: string;
  /** What its go.mod calls it, where that is another. */
  readonly declared?: string;
  /** Further entries of its archive, under the names that they have there. */
  readonly entries?: readonly ZipEntry[];
  /** The name that the entries of its archive begin with, where that is another. */
  readonly inside?: string;
  /** Asked for its archive, the proxy never answers. */
  readonly hangs?: boolean;
}

export interface ZipEntry {
  readonly name: string;
  readonly text: string;
  readonly isLink?: boolean;
}

const PUBLISHED = '2020-01-02T03:04:05Z';

/** A module proxy on the loopback with exactly these modules. It passes on no checksum database. */
export async function startModuleProxy(modules: readonly ScriptedModule[]): Promise<PackageRegistry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').replaceAll(/!([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    asked.push(path);
    const answer = answerOf(modules, path);
    if (answer === 'nothing') return;
    if (answer === null) response.writeHead(404).end('not found');
    else response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answerOf(modules: readonly ScriptedModule[], path: string): string | Buffer | 'nothing' | null {
  const list = modules.filter((each) => path === `/${each.path}/@v/list`);
  if (list.length > 0) return `${list.map(({ version }) => version).join('\n')}\n`;
  for (const each of modules) {
    const start = `/${each.path}/@v/${each.version}`;
    if (path === `${start}.info`) return JSON.stringify({ Version: each.version, Time: PUBLISHED });
    if (path === `${start}.mod`) return goModOf(each);
    if (path === `${start}.zip`) return each.hangs === true ? 'nothing' : zipOf(entriesOf(each));
  }
  return null;
}

/** Its two lines of go.sum. */
export function sumsOf(module: ScriptedModule): string {
  const { path, version } = module;
  const ofModule = hashOf(entriesOf(module));
  const ofGoMod = hashOf([{ name: 'go.mod', text: goModOf(module) }]);
  return `${path} ${version} ${ofModule}\n${path} ${version}/go.mod ${ofGoMod}\n`;
}

/** A checksum database's name with a key, as GOSUMDB has it. */
export function databaseKey(name: string): string {
  const key = Buffer.alloc(33, 7);
  key.writeUInt8(1);
  const id = createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8);
  return `${name}+${id}+${key.toString('base64')}`;
}

function goModOf({ path, needs = [], go = '1.21', declared = path }: ScriptedModule): string {
  const requires = needs.map((each) => `require ${each.replace('@', ' ')}\n`);
  return `module ${declared}\n\ngo ${go}\n${requires.join('')}`;
}

function entriesOf(module: ScriptedModule): ZipEntry[] {
  const { path, version, files, entries = [], inside = path } = module;
  const own = Object.entries({ 'go.mod': goModOf(module), ...files });
  return [...own.map(([name, text]) => ({ name: `${inside}@${version}/${name}`, text })), ...entries];
}

/** Go's `h1:` hash of some files. */
function hashOf(entries: readonly ZipEntry[]): string {
  const sha256 = (text: string) => createHash('sha256').update(text);
  const lines = entries
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, text }) => `${sha256(text).digest('hex')}  ${name}\n`);
  return `h1:${sha256(lines.join('')).digest('base64')}`;
}

/** An archive whose files are stored as they are. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, text, isLink = false } of entries) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    writeSizes(local, 14, content, path);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    // Made on Unix, so that the mode counts.
    entry.writeUInt16LE(0x0314, 4);
    writeSizes(entry, 16, content, path);
    entry.writeUInt32LE(((isLink ? 0o120777 : 0o100644) << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, path, content);
    central.push(entry, path);
    offset += local.length + path.length + content.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

function writeSizes(header: Buffer, at: number, content: Buffer, path: Buffer): void {
  header.writeUInt32LE(crc32(content), at);
  header.writeUInt32LE(content.length, at + 4);
  header.writeUInt32LE(content.length, at + 8);
  header.writeUInt16LE(path.length, at + 12);
}
