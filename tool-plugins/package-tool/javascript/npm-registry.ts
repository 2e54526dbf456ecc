import { join } from 'node:path';
import { PACKAGE_TREE } from '../../../src/contracts/sandbox/package-managers.ts';
import { programOf } from '../package-work.ts';
import type { PackageWork } from '../package-work.ts';
import { askRegistry } from '../registry-facts.ts';
import { runProgram } from '../run-program.ts';

const AT_ONCE = 8;

/** What a registry of npm says of one version of a package. */
export interface RegistryVersion {
  readonly tarball: string | null;
  /** Digests of its archive, `algorithm-base64`. */
  readonly digests: readonly string[];
  readonly publishedMs: number | null;
  readonly maintainers: number | null;
  readonly deprecated: string | null;
  readonly licence: string | null;
}

export interface NpmRegistry {
  /** The address of the user's registry for a package, by its scope; ends in `/`. */
  addressFor(name: string): string;
  /** null: the registry cannot be asked. `absent`: it has no such version. Each package is requested once. */
  version(name: string, version: string): Promise<RegistryVersion | 'absent' | null>;
  /** All versions that it has; null: the registry cannot be asked. */
  versions(name: string): Promise<readonly string[] | null>;
  /** The registry that npm has when nothing is configured: in a lockfile it stands for the user's own, whichever that is. */
  standard(): Promise<string>;
}

export function openNpmRegistry(work: PackageWork): NpmRegistry {
  const documents = new Map<string, Promise<unknown>>();
  let standard: Promise<string> | null = null;
  const addressFor = (name: string): string => {
    const scope = /^(@[^/]+)\//.exec(name)?.[1];
    const setting = work.grant.settings.find((each) => scope !== undefined && each.startsWith(`${scope}:registry=`));
    return (setting?.slice(setting.indexOf('=') + 1) ?? work.grant.registry).replace(/\/?$/, '/');
  };
  const documentOf = (name: string): Promise<unknown> => {
    const asked =
      documents.get(name) ??
      askRegistry({ ...work, grant: { ...work.grant, registry: addressFor(name) } }, name.replace('/', '%2f'));
    documents.set(name, asked);
    return asked;
  };
  return {
    addressFor,
    version: async (name, version) => readVersion(await documentOf(name), version),
    versions: async (name) => {
      const document = await documentOf(name);
      return document === null ? null : Object.keys(objectAt(document, 'versions') ?? {});
    },
    standard: () => (standard ??= askStandard(work)),
  };
}

/** Asks for a few at a time: the egress gate has a maximum of open connections. */
export async function askAll<T, U>(items: readonly T[], ask: (item: T) => Promise<U>): Promise<U[]> {
  const answers: U[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))));
  return answers;
}

function readVersion(document: unknown, version: string): RegistryVersion | 'absent' | null {
  const found = objectAt(document, 'versions');
  if (found === null) return null;
  const entry = objectAt(found, version);
  if (entry === null) return 'absent';
  const dist = objectAt(entry, 'dist');
  const { integrity, shasum, tarball } = dist ?? {};
  const published = objectAt(document, 'time')?.[version];
  const publishedMs = typeof published === 'string' ? Date.parse(published) : Number.NaN;
  const maintainers = (document as Record<string, unknown>)['maintainers'];
  return {
    tarball: typeof tarball === 'string' ? tarball : null,
    digests: [
      ...(typeof integrity === 'string' ? integrity.split(/\s+/) : []),
      ...(typeof shasum === 'string' ? [`sha1-${Buffer.from(shasum, 'hex').toString('base64')}`] : []),
    ],
    publishedMs: Number.isFinite(publishedMs) ? publishedMs : null,
    maintainers: Array.isArray(maintainers) ? maintainers.length : null,
    deprecated: typeof entry['deprecated'] === 'string' ? entry['deprecated'] : null,
    licence: typeof entry['license'] === 'string' ? entry['license'].slice(0, 200) : null,
  };
}

function objectAt(value: unknown, key: string): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
}

async function askStandard({ grant, out, temporary, env }: PackageWork): Promise<string> {
  // npm refuses one file as both.
  const none = (which: string): string => join(temporary, `no-${which}-npmrc`);
  const { output } = await runProgram([process.execPath, programOf(grant), 'config', 'get', 'registry'], {
    cwd: join(out, PACKAGE_TREE),
    env: {
      PATH: env['PATH'] ?? '',
      HOME: temporary,
      npm_config_userconfig: none('user'),
      npm_config_globalconfig: none('global'),
    },
  });
  return (/^https?:\/\/\S+$/m.exec(output)?.[0] ?? grant.registry).replace(/\/?$/, '/');
}
