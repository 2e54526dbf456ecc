import { CRATES_IO, newCrates, readCargoLock } from '../../lib/packages/cargo-lock.ts';
import type { LockedCrate } from '../../lib/packages/cargo-lock.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { refused } from './manager.ts';
import type { PackageManager } from './manager.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const VERSION = /^[\^~=<>]*\s*\d[\w.+*-]*(?:\s*,\s*[\^~=<>]*\s*\d[\w.+*-]*)*$/;
const NAMED = { max: 5, separator: ', ' } as const;
const SECTION = /^\[(?:dev-)?dependencies\]$/;

/** Where other sources of packages are named, which lead past the registry of the user. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^\s*members\s*=/m, 'the project is a workspace of several packages'],
  [/^\s*\[patch\b|^\s*\[replace\b/m, 'it replaces packages (patch)'],
  [
    /[{,]\s*path\s*=|^\s*\[(?:\S+\.)?(?:dev-|build-)?dependencies\.[^\]]+\]\s*\n(?:[^[\n]*\n)*?\s*path\s*=/m,
    'it depends on a directory (path)',
  ],
  [/[{,]\s*git\s*=|^\s*git\s*=/m, 'it depends on a repository of git'],
  [/[{,]\s*registry(?:-index)?\s*=|^\s*registry(?:-index)?\s*=/m, 'it names a registry of its own'],
];

export const cargo: PackageManager = {
  name: 'cargo',

  nameOf: (requested) => requested,

  named: ({ manifest, lockfile }) => {
    const lock = lockfile === null ? null : readCargoLock(lockfile);
    const crates = lock?.kind === 'lock' ? lock.crates.filter(({ source }) => source !== null) : [];
    return {
      packages: crates.map(({ name, version, checksum }) => ({
        name,
        version,
        hasInstallScript: false,
        listed: listOf(manifest, name),
        digest: checksum,
      })),
      isComplete: lock?.kind === 'lock',
    };
  },

  whyNot: ({ manifest, lockfile }, request) => {
    const elsewhere = ELSEWHERE.find(([sign]) => sign.test(manifest))?.[1];
    if (elsewhere !== undefined)
      return `Cargo.toml can only be used where its packages come from the registry alone: ${elsewhere}. Ask the user to run cargo fetch, and go on then.`;
    if (lockfile !== null) {
      const lock = readCargoLock(lockfile);
      if (lock.kind === 'unreadable')
        return `Cargo.lock cannot be read: ${lock.why}. Ask the user to run cargo generate-lockfile.`;
    }
    if (request.kind === 'install')
      return lockfile === null
        ? 'there is no Cargo.lock, which says what to install. Ask the user to run cargo fetch once, or call deps.add.'
        : null;
    if (!NAME.test(request.name)) return `${request.name} is no name of a crate.`;
    return request.version === undefined || VERSION.test(request.version)
      ? null
      : `${request.version} is no version for cargo. Write one like 1.2 or =1.2.3.`;
  },

  judge: (before, after, request) => {
    const lock = readCargoLock(after.lockfile);
    if (lock.kind === 'unreadable') return refused(`Cargo.lock cannot be read: ${lock.why}`);
    const unsafe = whyUntraceable(lock.crates);
    if (unsafe !== null) return refused(unsafe);
    const old = before.lockfile === null ? null : readCargoLock(before.lockfile);
    const added = newCrates(old?.kind === 'lock' ? old.crates : [], lock.crates);
    switch (request.kind) {
      case 'install':
        if (after.lockfile !== before.lockfile || after.manifest !== before.manifest)
          return refused('cargo changed Cargo.toml or Cargo.lock although it was to install what they say');
        break;
      case 'add':
        if (withoutListed(before.manifest, request.name) !== withoutListed(after.manifest, request.name))
          return refused(`Cargo.toml was changed beyond the dependency ${request.name}`);
        if (!lock.crates.some(({ name, source }) => name === request.name && source !== null))
          return refused(`Cargo.lock has no ${request.name}`);
    }
    return {
      kind: 'good',
      // A build script of a crate runs when tests are built, in their sandbox and without a network: nothing runs when it is installed.
      added: added.map(({ name, version }) => ({ name, version, hasInstallScript: false })),
      installed: lock.crates.filter(({ source }) => source !== null).length,
      withScripts: [],
    };
  },

  onlyListsChanged: (before, after) => withoutListed(before) === withoutListed(after),
};

/** The section of the manifest that lists a crate; null: it came with another. */
function listOf(manifest: string, name: string): string | null {
  let section = '';
  for (const line of manifest.split('\n')) {
    section = /^\[(.+)\]$/.exec(line.trim())?.[1] ?? section;
    const isListed = section.endsWith('dependencies') && line.startsWith(`${name} =`);
    if (isListed || section.endsWith(`dependencies.${name}`)) return section;
  }
  return null;
}

/** Every crate comes from the registry, and its archive is the one that the lockfile names. */
function whyUntraceable(crates: readonly LockedCrate[]): string | null {
  const foreign = crates.find(({ source }) => source !== null && source !== CRATES_IO);
  if (foreign !== undefined) return `${foreign.name} does not come from the registry (${foreign.source ?? ''})`;
  const unchecked = crates.filter(({ source, checksum }) => source !== null && !/^[0-9a-f]{64}$/.test(checksum ?? ''));
  const names = unchecked.map(({ name }) => name);
  return names.length === 0 ? null : `Cargo.lock has no checksum of ${listFirst(names, NAMED)}`;
}

/** The manifest without empty lines and without what its sections of dependencies list: packages of the registry, those of this name or all. */
function withoutListed(manifest: string, name = String.raw`[\w-]+`): string {
  const listed = new RegExp(
    `^${name} = (?:"[^"\\\\]*"|\\{ version = "[^"\\\\]*"(?:, (?:features = \\[[^\\]]*\\]|optional = (?:true|false)|default-features = (?:true|false)))* \\})$`,
  );
  let isInside = false;
  return manifest
    .split('\n')
    .filter((line) => {
      if (line.startsWith('[')) isInside = SECTION.test(line);
      return line.trim() !== '' && !SECTION.test(line) && !(isInside && listed.test(line));
    })
    .join('\n');
}
