import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LockedPackage } from '../../../src/lib/packages/npm-lock.ts';
import { parseJson } from '../../../src/lib/parse-json.ts';
import { askAll } from './npm-registry.ts';
import type { NpmRegistry } from './npm-registry.ts';

/** A package of the lockfile as it was unpacked, before any code of it has run. */
export interface InstalledPackage {
  readonly locked: LockedPackage;
  /** By its own package.json: it has code that npm would run when it installs it. */
  readonly hasScript: boolean;
}

export type Installed =
  | { readonly kind: 'installed'; readonly packages: readonly InstalledPackage[] }
  | { readonly kind: 'impostor'; readonly why: string };

const SCRIPTS = ['preinstall', 'install', 'postinstall'] as const;

/** Reads what was unpacked. A package whose own package.json has another name or version than the lockfile is an impostor. */
export async function readInstalled(project: string, packages: readonly LockedPackage[]): Promise<Installed> {
  const found: InstalledPackage[] = [];
  for (const locked of packages) {
    const text = await readFile(join(project, locked.place, 'package.json'), 'utf8').catch(() => null);
    // One for another system is in the lockfile and is not installed.
    if (text === null) continue;
    const { name, version, scripts, gypfile } = objectOf(parseJson(text));
    if (name !== locked.name || typeof version !== 'string' || plainVersion(version) !== plainVersion(locked.version))
      return {
        kind: 'impostor',
        why: `${locked.place} is ${nameOf(locked)} by the lockfile, and its archive says that it is ${say(name)}@${say(version)}`,
      };
    const hasGyp = await isFile(join(project, locked.place, 'binding.gyp'));
    found.push({ locked, hasScript: hasInstallCode({ scripts, gypfile }, hasGyp) });
  }
  return { kind: 'installed', packages: found };
}

/** Whether a package with this package.json has code that would run when it is installed. */
export function hasInstallCode(
  { scripts, gypfile }: { readonly scripts?: unknown; readonly gypfile?: unknown },
  hasGyp: boolean,
): boolean {
  return (hasGyp && gypfile !== false) || SCRIPTS.some((each) => Boolean(objectOf(scripts)[each]));
}

/**
 * Why a package of the lockfile is not bound to its name, or null. npm takes an archive from wherever the lockfile says, and from its cache by the
 * digest alone: so each digest belongs to one package, and each address is the registry's own for that name and version. `toConfirm` are those of which the
 * registry has to say the digest too, since code of theirs is to run.
 */
export async function whyUnbound(
  registry: NpmRegistry,
  packages: readonly LockedPackage[],
  toConfirm: readonly LockedPackage[],
): Promise<string | null> {
  const owners = new Map<string, LockedPackage>();
  for (const each of packages) {
    const digests = strongest(each.integrity?.split(/\s+/) ?? []);
    if (digests.length > 1) return `${nameOf(each)} has several digests, and any of them would be accepted`;
    const [digest] = digests;
    const owner = digest === undefined ? undefined : owners.get(digest);
    if (owner !== undefined && nameOf(owner) !== nameOf(each))
      return `${nameOf(each)} has the digest of ${nameOf(owner)}`;
    if (digest !== undefined) owners.set(digest, each);
  }
  const asked: LockedPackage[] = [];
  for (const each of packages) if (!(await isConventional(registry, each))) asked.push(each);
  const answers = await askAll([...new Set([...asked, ...toConfirm])], (each) =>
    whyNotTheRegistrys(registry, each, { confirm: toConfirm.includes(each), isKnownPlace: !asked.includes(each) }),
  );
  return answers.find((why) => why !== null) ?? null;
}

/** Whether the address is where a registry of npm keeps that name and version, so that it need not be asked. */
async function isConventional(registry: NpmRegistry, { name, version, resolved }: LockedPackage): Promise<boolean> {
  if (resolved === null) return true;
  const path = `${name}/-/${name.replace(/^@[^/]+\//, '')}-${version}.tgz`;
  const address = decoded(resolved);
  const own = registry.addressFor(name);
  if (address === `${own}${path}`) return true;
  return own === registry.addressFor('') && address === `${await registry.standard()}${path}`;
}

async function whyNotTheRegistrys(
  registry: NpmRegistry,
  each: LockedPackage,
  { confirm, isKnownPlace }: { readonly confirm: boolean; readonly isKnownPlace: boolean },
): Promise<string | null> {
  const { name, version, resolved, integrity } = each;
  const known = await registry.version(name, version);
  if (known === null) return `the registry does not say what ${nameOf(each)} is`;
  if (known === 'absent') return `the registry has no ${nameOf(each)}`;
  if (!isKnownPlace && decoded(known.tarball ?? '') !== decoded(resolved ?? ''))
    return `the lockfile has ${nameOf(each)} from ${resolved ?? ''}, and the registry from ${known.tarball ?? 'nowhere'}`;
  const digests = strongest(integrity?.split(/\s+/) ?? []);
  if (confirm && !digests.some((digest) => known.digests.includes(digest)))
    return `the registry has another archive of ${nameOf(each)}`;
  return null;
}

/** npm checks the digests of the strongest algorithm, and is content with any of them. */
export function strongest(digests: readonly string[]): readonly string[] {
  const plain = digests.map((digest) => digest.replace(/\?.*$/, ''));
  for (const algorithm of ['sha512', 'sha384', 'sha256', 'sha1']) {
    const found = plain.filter((digest) => digest.startsWith(`${algorithm}-`));
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}

/** A registry writes versions without the freedoms that package.json has: `v1.0.0+build`, `1.0.0beta`. */
export function plainVersion(version: string): string {
  return version
    .trim()
    .replace(/^[=v\s]+/, '')
    .replace(/\+.*$/, '')
    .replaceAll('-', '');
}

function nameOf({ name, version }: LockedPackage): string {
  return `${name}@${version}`;
}

function say(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : 'nothing';
}

function decoded(address: string): string {
  return address.replace(/%2f/gi, '/');
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
