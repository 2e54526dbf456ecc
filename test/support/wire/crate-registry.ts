import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tarballOf } from './package-registry.ts';
import type { ArchiveEntry, PackageRegistry } from './package-registry.ts';

export interface ScriptedCrate {
  readonly name: string;
  readonly version: string;
  /** Text of src/lib.rs. */
  readonly source: string;
  /** Names of crates that it needs, in any version. */
  readonly needs?: readonly string[];
  readonly licence?: string;
  readonly entries?: readonly ArchiveEntry[];
  /** Published under a digest that is not the archive's. */
  readonly liesAboutChecksum?: boolean;
  readonly yanked?: boolean;
  readonly features?: readonly string[];
  /** The name that its archive has inside, where that is another. */
  readonly inside?: string;
  /** Asked for its archive, the registry never answers. */
  readonly hangs?: boolean;
}

/** A registry of cargo on the loopback, with a sparse index, with exactly these crates. */
export async function startCrateRegistry(crates: readonly ScriptedCrate[]): Promise<PackageRegistry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/config.json') return void response.end(JSON.stringify({ dl: `${url}/dl` }));
    const archived = crates.find(({ name, version }) => path === `/dl/${name}/${version}/download`);
    if (archived?.hangs === true) return;
    if (archived !== undefined) return void response.end(crateOf(archived));
    const versions = crates.filter(({ name }) => path === indexPath(name));
    if (versions.length === 0) return void response.writeHead(404).end();
    response.end(versions.map((each) => `${JSON.stringify(indexLine(each))}\n`).join(''));
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

/** Text of a `config.toml` of the user that names it in place of crates.io. */
export function registryConfig({ url }: Pick<PackageRegistry, 'url'>): string {
  return `[source.crates-io]\nreplace-with = "ours"\n[source.ours]\nregistry = "sparse+${url}/"\n`;
}

export function checksumOf(crate: ScriptedCrate): string {
  return createHash('sha256').update(crateOf(crate)).digest('hex');
}

function indexPath(name: string): string {
  return `/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

function indexLine(crate: ScriptedCrate): object {
  const { name, version, needs = [], features = [], yanked = false, liesAboutChecksum = false } = crate;
  const dependency = { req: '*', features: [], optional: false, default_features: true, target: null, kind: 'normal' };
  return {
    name,
    vers: version,
    deps: needs.map((each) => ({ name: each, ...dependency })),
    cksum: liesAboutChecksum ? '0'.repeat(64) : checksumOf(crate),
    features: Object.fromEntries(features.map((each) => [each, []])),
    yanked,
    pubtime: '2020-01-02T03:04:05Z',
  };
}

function crateOf(crate: ScriptedCrate): Buffer {
  const { name, version, source, needs = [], features = [], licence = 'MIT', entries = [], inside = name } = crate;
  const manifest = [
    '[package]',
    `name = "${inside}"`,
    `version = "${version}"`,
    'edition = "2021"',
    `license = "${licence}"`,
    '[features]',
    ...features.map((each) => `${each} = []`),
    '[dependencies]',
    ...needs.map((each) => `${each} = "*"`),
  ].join('\n');
  return tarballOf([
    { name: `${name}-${version}/Cargo.toml`, text: `${manifest}\n` },
    { name: `${name}-${version}/src/lib.rs`, text: source },
    ...entries,
  ]);
}
