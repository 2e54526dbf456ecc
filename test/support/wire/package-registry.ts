import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** An entry of an archive: a file, unless it says otherwise. */
export interface ArchiveEntry {
  readonly name: string;
  readonly text?: string;
  /** Makes it a symbolic link. */
  readonly linkTo?: string;
}

export interface ScriptedPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly entries?: readonly ArchiveEntry[];
  /** Published under a digest that is not the archive's. */
  readonly liesAboutIntegrity?: boolean;
  /** Asked for its archive, the registry never answers. */
  readonly hangs?: boolean;
}

export interface PackageRegistry {
  readonly url: string;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const BLOCK_BYTES = 512;
const PUBLISHED = '2020-01-02T03:04:05.000Z';

/** A registry of npm on the loopback with exactly these packages. */
export async function startPackageRegistry(packages: readonly ScriptedPackage[]): Promise<PackageRegistry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    const archived = packages.find(({ name, version }) =>
      [`/${name}/-/${version}.tgz`, `/${name}/-/${name}-${version}.tgz`].includes(path),
    );
    if (archived?.hangs === true) return;
    if (archived !== undefined) return void response.end(archiveOf(archived));
    const versions = packages.filter(({ name }) => path === `/${name}`);
    if (versions.length === 0) return void response.writeHead(404).end('{"error":"Not found"}');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(documentOf(versions, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function documentOf(versions: readonly ScriptedPackage[], url: string): object {
  const [{ name } = { name: '' }] = versions;
  return {
    name,
    'dist-tags': { latest: versions.at(-1)?.version },
    maintainers: [{ name: 'ada' }, { name: 'grace' }],
    time: Object.fromEntries(versions.map(({ version }) => [version, PUBLISHED])),
    versions: Object.fromEntries(
      versions.map((each) => {
        const archive = each.liesAboutIntegrity === true ? Buffer.from('another') : archiveOf(each);
        const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
        const tarball = `${url}/${name}/-/${each.version}.tgz`;
        const scripts = each.manifest?.['scripts'];
        const hasInstallScript = typeof scripts === 'object' && scripts !== null && 'install' in scripts;
        return [
          each.version,
          { name, version: each.version, ...each.manifest, hasInstallScript, dist: { tarball, integrity } },
        ];
      }),
    ),
  };
}

/** The archive of a package, as `npm pack` makes it. */
export function archiveOf({ name, version, manifest = {}, entries = [] }: ScriptedPackage): Buffer {
  return tarballOf([
    { name: 'package/package.json', text: JSON.stringify({ name, version, ...manifest }) },
    ...entries,
  ]);
}

export function tarballOf(entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.text ?? '');
    const padding = Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES);
    return [headerOf(entry, content.length), content, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]));
}

function headerOf({ name, linkTo }: ArchiveEntry, size: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(linkTo === undefined ? '0' : '2', 156);
  if (linkTo !== undefined) header.write(linkTo, 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
