import { CRATES_IO, newCrates, readCargoLock } from '../../lib/packages/cargo-lock.ts';
import type { LockedCrate } from '../../lib/packages/cargo-lock.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { whyElsewhere } from './cargo-sources.ts';
import { refused } from './manager.ts';
import type { PackageManager } from './manager.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const VERSION = /^[\^~=<>]*\s*\d[\w.+*-]*(?:\s*,\s*[\^~=<>]*\s*\d[\w.+*-]*)*$/;
const NAMED = { max: 5, separator: ', ' } as const;
const SECTION = /^\[(?:dev-)?dependencies\]$/;

const FEATURE = /^(?:dep:)?[\w][\w+.-]*(?:\?|\/[\w][\w+.-]*)?$/;

export const cargo: PackageManager = {
  name: 'cargo',
  outOfStep:
    'Call deps.add of what Cargo.toml lists and Cargo.lock does not have, with its version and features: it writes both. Or ask the user to run cargo fetch.',

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
    const elsewhere = whyElsewhere(manifest);
    if (elsewhere !== null) {
      const commands = request.kind === 'add' ? `cargo add ${request.name}, then cargo fetch` : 'cargo fetch';
      return `Cargo.toml can only be used if its packages come only from the registry: ${elsewhere}. Ask the user to run ${commands}, then continue.`;
    }
    if (lockfile !== null) {
      const lock = readCargoLock(lockfile);
      if (lock.kind === 'unreadable')
        return `Cargo.lock cannot be read: ${lock.why}. Ask the user to run cargo generate-lockfile.`;
    }
    if (request.kind === 'install')
      return lockfile === null
        ? 'there is no Cargo.lock, so it is not known what to install. Ask the user to run cargo fetch once, or call deps.add.'
        : null;
    if (!NAME.test(request.name)) return `${request.name} is not a valid crate name.`;
    const unlike = request.features?.find((each) => !FEATURE.test(each));
    if (unlike !== undefined) return `${unlike} is not a valid feature name.`;
    return request.version === undefined || VERSION.test(request.version)
      ? null
      : `${request.version} is not a valid version for cargo. Use for example 1.2 or =1.2.3.`;
  },

  judge: (before, after, request) => {
    const lock = readCargoLock(after.lockfile);
    if (lock.kind === 'unreadable') return refused(`Cargo.lock cannot be read: ${lock.why}`);
    const unsafe = whyUntraceable(lock.crates);
    if (unsafe !== null) return refused(unsafe);
    const old = before.lockfile === null ? null : readCargoLock(before.lockfile);
    const added = newCrates(old?.kind === 'lock' ? old.crates : [], lock.crates);
    const name = request.kind === 'add' ? nameInLock(lock.crates, request.name) : undefined;
    switch (request.kind) {
      case 'install':
        if (after.lockfile !== before.lockfile || after.manifest !== before.manifest)
          return refused('cargo changed Cargo.toml or Cargo.lock although it should only install their content');
        break;
      case 'add':
        if (name === undefined) return refused(`Cargo.lock has no ${request.name}`);
        if (withoutListed(before.manifest, name) !== withoutListed(after.manifest, name))
          return refused(`Cargo.toml was changed beyond the dependency ${name}`);
    }
    return {
      kind: 'good',
      ...(name === undefined ? {} : { name }),
      // A build script of a crate runs when the tests are built, in their sandbox and without network. Nothing runs at
      // installation.
      added: added.map(({ name, version }) => ({ name, version, hasInstallScript: false })),
      installed: lock.crates.filter(({ source }) => source !== null).length,
      withScripts: [],
    };
  },

  onlyListsChanged: (before, after) => withoutListed(before) === withoutListed(after),
};

/** The name in the lockfile. `-` and `_` are equal in a name: cargo uses the registry's form. */
function nameInLock(crates: readonly LockedCrate[], requested: string): string | undefined {
  const plain = (name: string): string => name.replaceAll('_', '-');
  const named = crates.filter(({ name, source }) => source !== null && plain(name) === plain(requested));
  return (named.find(({ name }) => name === requested) ?? named[0])?.name;
}

/** The section of the manifest that lists a crate; null if another crate required it. */
function listOf(manifest: string, name: string): string | null {
  let section = '';
  for (const line of manifest.split('\n')) {
    section = /^\[(.+)\]$/.exec(line.trim())?.[1] ?? section;
    const isListed = section.endsWith('dependencies') && line.startsWith(`${name} =`);
    if (isListed || section.endsWith(`dependencies.${name}`)) return section;
  }
  return null;
}

/**
 * Why a crate does not come from the registry, or why its archive is not checked by the lockfile; null if all are fine.
 */
function whyUntraceable(crates: readonly LockedCrate[]): string | null {
  const foreign = crates.find(({ source }) => source !== null && source !== CRATES_IO);
  if (foreign !== undefined) return `${foreign.name} does not come from the registry (${foreign.source ?? ''})`;
  const unchecked = crates.filter(({ source, checksum }) => source !== null && !/^[0-9a-f]{64}$/.test(checksum ?? ''));
  const names = unchecked.map(({ name }) => name);
  return names.length === 0 ? null : `Cargo.lock has no checksum of ${listFirst(names, NAMED)}`;
}

/**
 * The manifest without empty lines and without the registry packages in its dependency sections: the package of this
 * name, or all.
 */
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
