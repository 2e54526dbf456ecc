/** One package of Cargo.lock. */
export interface LockedCrate {
  readonly name: string;
  readonly version: string;
  /** Where it comes from; null for a directory of the project. */
  readonly source: string | null;
  /** SHA-256 of its archive. */
  readonly checksum: string | null;
}

export type CargoLockOutcome =
  | { readonly kind: 'lock'; readonly crates: readonly LockedCrate[] }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The name of the crates.io registry in lockfiles, whichever mirror is used. */
export const CRATES_IO = 'registry+https://github.com/rust-lang/crates.io-index';

const NAME = /^[A-Za-z][\w-]*$/;

/** Reads Cargo.lock as cargo itself writes it, one key a line. Versions 1 and 2 keep checksums elsewhere and are refused. Pure. */
export function readCargoLock(text: string): CargoLockOutcome {
  const lockVersion = Number(/^version = (\d+)$/m.exec(text)?.[1] ?? '0');
  if (lockVersion < 3) return { kind: 'unreadable', why: 'it is older than version 3' };
  const crates: LockedCrate[] = [];
  for (const block of text.split(/^\[\[package\]\]$/m).slice(1)) {
    const name = valueOf(block, 'name');
    const version = valueOf(block, 'version');
    if (name === null || version === null || !NAME.test(name))
      return { kind: 'unreadable', why: 'a package in it has no proper name or no version' };
    crates.push({ name, version, source: valueOf(block, 'source'), checksum: valueOf(block, 'checksum') });
  }
  return { kind: 'lock', crates };
}

/** Crates of a registry that the old lockfile does not have in the same version. */
export function newCrates(before: readonly LockedCrate[], after: readonly LockedCrate[]): readonly LockedCrate[] {
  const known = new Set(before.map(({ name, version }) => `${name}@${version}`));
  return after.filter(({ name, version, source }) => source !== null && !known.has(`${name}@${version}`));
}

function valueOf(block: string, key: string): string | null {
  return new RegExp(`^${key} = "([^"\\\\]*)"$`, 'm').exec(block)?.[1] ?? null;
}
