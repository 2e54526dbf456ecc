import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { PackageRegistry } from './package-registry.ts';

export interface ScriptedWheel {
  readonly name: string;
  readonly version: string;
  /** Lines of its METADATA. */
  readonly metadata?: readonly string[];
  /** By their path in the wheel. */
  readonly files?: Readonly<Record<string, string>>;
  /** Offered as an archive of sources, and not as a wheel. */
  readonly isSource?: boolean;
  /** Offered under a digest that is not its own. */
  readonly liesAboutHash?: boolean;
  /** Asked for it, the index never answers. */
  readonly hangs?: boolean;
}

const UPLOADED = '2020-01-02T03:04:05.000Z';
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';

/** A package index of Python on the loopback with exactly these files. */
export async function startPythonIndex(wheels: readonly ScriptedWheel[]): Promise<PackageRegistry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    const wheel = wheels.find((each) => path === `/files/${fileOf(each)}`);
    if (wheel?.hangs === true) return;
    if (wheel !== undefined) return void response.end(wheelOf(wheel));
    const found = wheels.filter(({ name }) => path === `/simple/${name}/`);
    if (found.length === 0) return void response.writeHead(404).end('not found');
    response.setHeader('content-type', JSON_TYPE);
    const files = found.map((each) => ({
      filename: fileOf(each),
      url: `${origin}/files/${fileOf(each)}`,
      hashes: { sha256: sha256Of(each.liesAboutHash === true ? Buffer.from('another') : wheelOf(each)) },
      'upload-time': UPLOADED,
    }));
    response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name: found[0]?.name, files }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/simple`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function fileOf({ name, version, isSource = false }: ScriptedWheel): string {
  return isSource ? `${name}-${version}.tar.gz` : `${name}-${version}-py3-none-any.whl`;
}

export function wheelOf({ name, version, metadata = [], files = {} }: ScriptedWheel): Buffer {
  const info = `${name}-${version}.dist-info`;
  const contents: Record<string, string> = {
    ...files,
    [`${info}/METADATA`]: ['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`, ...metadata, ''].join('\n'),
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = [...Object.keys(contents), `${info}/RECORD`].map((path) => `${path},,\n`).join('');
  return zipOf({ ...contents, [`${info}/RECORD`]: record });
}

/** A zip archive whose entries are stored as they are. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, name);
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
