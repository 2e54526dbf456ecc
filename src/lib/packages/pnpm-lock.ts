import { firstText } from '../text/first-last.ts';
import { linkedDirectory } from './javascript-lock.ts';
import type { JavascriptLockOutcome, LockEntry, LockLink, LockOrigin } from './javascript-lock.ts';
import { mapIn, readPlainYaml, textIn } from './plain-yaml.ts';

export type PnpmLockOutcome = JavascriptLockOutcome & {
  /** Version of the format: 6 for pnpm 8, 9 for later ones. */
  readonly version?: number;
};

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
/** `name@version`; in version 6 followed by the peers. */
const KEY = /^\/?((?:@[^/@]+\/)?[^/@]+)@([^(]+?)(?:\(.*)?$/;

/** Reads pnpm-lock.yaml, versions 6 and 9. */
export function readPnpmLock(text: string): PnpmLockOutcome {
  const read = readPlainYaml(text);
  if (read.kind === 'unreadable') return read;
  const lock = read.documents.at(-1);
  const version = Math.floor(Number(textIn(lock, 'lockfileVersion') ?? Number.NaN));
  if (version !== 6 && version !== 9)
    return { kind: 'unreadable', why: 'it is not a pnpm-lock.yaml of version 6 or 9, as pnpm 8 and later write it' };
  const packages: LockEntry[] = [];
  for (const [key, entry] of Object.entries(mapIn(lock, 'packages'))) {
    const named = readKey(key, entry);
    if (named === null)
      return { kind: 'unreadable', why: `it has a package whose key has no name and version: ${key.slice(0, 100)}` };
    packages.push(named);
  }
  return { kind: 'lock', version, packages, links: linksOf(lock), unusable: whyUnusable(read.documents) };
}

function readKey(key: string, entry: unknown): LockEntry | null {
  const [, name, version] = KEY.exec(key) ?? [];
  const resolution = mapIn(entry, 'resolution');
  if (name === undefined || version === undefined) {
    // In version 6, `file:` and `link:` have no version.
    const own = textIn(entry, 'name');
    return own === null
      ? null
      : { ...entryOf(own, textIn(entry, 'version') ?? '', entry), origin: { kind: 'elsewhere', words: key } };
  }
  return {
    ...entryOf(textIn(entry, 'name') ?? name, textIn(entry, 'version') ?? version, entry),
    origin: originOf(version, resolution),
  };
}

function entryOf(name: string, version: string, entry: unknown): Omit<LockEntry, 'origin'> {
  return {
    name,
    version,
    digest: textIn(mapIn(entry, 'resolution'), 'integrity'),
    hasInstallScript: mapIn(entry)['requiresBuild'] === true,
  };
}

/** If the version is an address, a path or a repository, `resolution` says so too; either is enough. */
function originOf(version: string, resolution: Readonly<Record<string, unknown>>): LockOrigin {
  const words = textIn(resolution, 'repo') ?? textIn(resolution, 'directory');
  if (resolution['type'] !== undefined) return { kind: 'elsewhere', words: words ?? version };
  if (!/^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$/.test(version)) return { kind: 'elsewhere', words: version };
  const tarball = textIn(resolution, 'tarball');
  if (tarball === null) return words === null ? { kind: 'registry' } : { kind: 'elsewhere', words };
  return /^https?:\/\//.test(tarball) ? { kind: 'address', url: tarball } : { kind: 'elsewhere', words: tarball };
}

/** Without a workspace, version 6 has the lists at the top level. */
function linksOf(lock: unknown): LockLink[] {
  const importers = Object.entries(mapIn(lock, 'importers'));
  const all = importers.length > 0 ? importers : [['.', lock] as const];
  return all.flatMap(([directory, lists]) =>
    LISTS.flatMap((list) =>
      Object.entries(mapIn(lists, list)).flatMap(([name, listed]) => {
        const version = textIn(listed, 'version') ?? '';
        return version.startsWith('link:')
          ? [{ name, directory: linkedDirectory(directory, version.slice('link:'.length)) }]
          : [];
      }),
    ),
  );
}

function whyUnusable(documents: readonly unknown[]): string | null {
  const patched = Object.keys(mapIn(documents.at(-1), 'patchedDependencies'));
  if (patched.length > 0)
    return `${firstText(patched)} is patched by the project (patchedDependencies), and patches are not applied here. Ask the user to run pnpm install`;
  const importers = documents.flatMap((document) => Object.values(mapIn(document, 'importers')));
  const config = importers.flatMap((importer) => Object.keys(mapIn(importer, 'configDependencies')));
  return config.length > 0
    ? `${firstText(config)} is code that pnpm would run while it installs (configDependencies), which no project may choose here. Ask the user to run pnpm install`
    : null;
}
