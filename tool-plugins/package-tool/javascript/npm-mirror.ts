import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PackageFailure } from '../../../src/contracts/sandbox/package-managers.ts';
import { parseJson } from '../../../src/lib/parse-json.ts';
import { readArchive } from '../archive.ts';
import type { ArchiveFile } from '../archive.ts';
import { NoWayOut } from '../../sdk/through-gate.ts';
import { openGateAgent } from '../gate-agent.ts';
import type { GateAgents } from '../gate-agent.ts';
import { hasInstallCode, plainVersion } from './npm-identity.ts';
import type { NpmRegistry } from './npm-registry.ts';
import type { PackageWork } from '../package-work.ts';
import { followThroughGate, readAnswer } from '../registry-facts.ts';

/** An archive that passed, as it is. */
export interface SeenArchive {
  readonly name: string;
  readonly version: string;
  /** `algorithm-base64`. */
  readonly digests: readonly string[];
  /** It has code that would run when it is installed. */
  readonly hasScript: boolean;
}

export interface MirrorFailure {
  readonly failure: PackageFailure;
  readonly message: string;
}

export interface NpmMirror {
  /** In place of the user's registry; no slash at its end. */
  readonly url: string;
  /** By `name@version`. */
  readonly archives: ReadonlyMap<string, SeenArchive>;
  /** Why requests were not answered, in their order. */
  readonly failures: readonly MirrorFailure[];
  close(): void;
}

const ARCHIVE = /^\/((?:@[^/]+\/)?[^/@]+)\/-\/([^/]+)\.tgz$/;
const DOCUMENT = /^\/((?:@[^/]+\/)?[^/@]+)$/;
const SHOWN = 200;

/**
 * The user's registries on the sandbox's own loopback, for package managers that each have other settings for proxies, certificates and scopes, and keep
 * no archive. Each request is asked of the egress gate. Every archive passes through here whole and is examined before the package manager gets it: it is
 * what its address says, and has nothing that is not unpacked here. Addresses of archives are always the conventional ones, so that no lockfile names the mirror.
 */
export async function openNpmMirror(work: PackageWork, registry: NpmRegistry): Promise<NpmMirror> {
  const archives = new Map<string, SeenArchive>();
  const failures: MirrorFailure[] = [];
  /** Where the registry says that an archive is, by its conventional path. */
  const places = new Map<string, string>();
  const agent = openGateAgent(work);
  let own = '';

  const { fetchDocument, fetchArchive } = openSource(work, registry, agent, places);
  const giveDocument = async (name: string, accept: string, response: ServerResponse): Promise<void> => {
    const { status, document } = await fetchDocument(name, accept);
    const versions = objectIn(objectIn(document)['versions']);
    for (const [version, entry] of Object.entries(versions)) {
      const dist = objectIn(objectIn(entry)['dist']);
      const path = conventionalPath(name, version);
      if (typeof dist['tarball'] === 'string') places.set(path, dist['tarball']);
      dist['tarball'] = `${own}${path}`;
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}));
  };
  const giveArchive = async (name: string, path: string, response: ServerResponse): Promise<void> => {
    const bytes = await fetchArchive(name, path);
    if (bytes === null) return void response.writeHead(404).end();
    const examined = examine(name, path, bytes);
    if (examined.kind === 'refused') {
      failures.push(examined);
      return void response.writeHead(403).end();
    }
    archives.set(`${name}@${examined.archive.version}`, examined.archive);
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length }).end(bytes);
  };

  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').replace(/\?.*$/, ''));
    const accept = request.headers.accept ?? 'application/json';
    const archived = ARCHIVE.exec(path)?.[1];
    const named = DOCUMENT.exec(path)?.[1];
    const given =
      request.method !== 'GET' || (archived ?? named) === undefined
        ? Promise.resolve(void response.writeHead(404).end('{}'))
        : archived === undefined
          ? giveDocument(named ?? '', accept, response)
          : giveArchive(archived, path, response);
    given.catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const refused = error instanceof NoWayOut && error.refused;
      const at = error instanceof NoWayOut ? '' : `${path.slice(0, SHOWN)}: `;
      failures.push({ failure: refused ? 'refused' : 'unreachable', message: `${at}${message}` });
      if (response.headersSent) response.destroy();
      // What a package manager tries again is not answered by another attempt.
      else response.writeHead(403, { 'content-type': 'text/plain' }).end(message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: own,
    archives,
    failures,
    close: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** What the user's registries have, by the paths of the mirror. `places` says where an archive is, once its document was fetched. */
function openSource(work: PackageWork, registry: NpmRegistry, agent: GateAgents, places: ReadonlyMap<string, string>) {
  const fetchDocument = async (
    name: string,
    accept: string,
  ): Promise<{ readonly status: number; readonly document: unknown }> => {
    const url = new URL(`${registry.addressFor(name)}${name.replace('/', '%2f')}`);
    const answer = await followThroughGate(url, work, accept, agent);
    const document = parseJson((await readAnswer(answer)).toString('utf8'));
    return { status: answer.statusCode ?? 502, document };
  };
  const fetchArchive = async (name: string, path: string): Promise<Buffer | null> => {
    const base = registry.addressFor(name).replace(/\/$/, '');
    const known = places.get(path);
    const first = await followThroughGate(new URL(known ?? `${base}${path}`), work, '*/*', agent);
    if (first.statusCode === 200) return readAnswer(first);
    first.resume();
    if (known !== undefined) return null;
    // Not at the conventional place: the registry says where.
    const { document } = await fetchDocument(name, 'application/json');
    for (const [version, entry] of Object.entries(objectIn(objectIn(document)['versions']))) {
      const { tarball } = objectIn(objectIn(entry)['dist']);
      if (typeof tarball !== 'string' || conventionalPath(name, version) !== path) continue;
      const second = await followThroughGate(new URL(tarball), work, '*/*', agent);
      if (second.statusCode === 200) return readAnswer(second);
      second.resume();
    }
    return null;
  };
  return { fetchDocument, fetchArchive };
}

export function conventionalPath(name: string, version: string): string {
  return `/${name}/-/${name.replace(/^@[^/]+\//, '')}-${version}.tgz`;
}

type Examined =
  { readonly kind: 'examined'; readonly archive: SeenArchive } | ({ readonly kind: 'refused' } & MirrorFailure);

/** The archive's own package.json has the name and the version of its address: code that is allowed by its name is that package's. */
function examine(name: string, path: string, bytes: Buffer): Examined {
  const shown = path.slice(1, SHOWN);
  const read = readArchive(bytes);
  if (read.kind === 'unsafe') return { kind: 'refused', failure: 'unsafe_archive', message: `${shown}: ${read.why}` };
  // Where a file is there twice, package managers do not agree on which of the two counts.
  const manifests = read.files.filter((file) => inPackage(file) === 'package.json').map(manifestOf);
  const [first] = manifests;
  const version = first?.['version'];
  const isNamed = manifests.every(
    (each) =>
      each['name'] === name &&
      typeof each['version'] === 'string' &&
      each['version'] === version &&
      plainVersion(conventionalPath(name, each['version'])) === plainVersion(path),
  );
  if (first === undefined || typeof version !== 'string' || !isNamed) {
    const says = first === undefined ? 'nothing' : `${say(first['name'])}@${say(version)}`;
    return { kind: 'refused', failure: 'impostor', message: `${shown} is an archive that says that it is ${says}` };
  }
  const hasGyp = read.files.some((file) => inPackage(file) === 'binding.gyp');
  const digests = ['sha512', 'sha384', 'sha256', 'sha1'].map(
    (algorithm) => `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`,
  );
  const locked = path.slice(path.lastIndexOf('/') + 1, -'.tgz'.length).slice(name.replace(/^@[^/]+\//, '').length + 1);
  return {
    kind: 'examined',
    archive: { name, version: locked, digests, hasScript: manifests.some((each) => hasInstallCode(each, hasGyp)) },
  };
}

/** Archives have all files in one directory, whatever its name. */
function inPackage({ path }: ArchiveFile): string {
  return path.replace(/^(?:\.\/)*[^/]+\//, '');
}

function manifestOf({ content }: ArchiveFile): Record<string, unknown> {
  return objectIn(parseJson(content.toString('utf8').replace(/^\uFEFF/, '')));
}

function say(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : 'nothing';
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
