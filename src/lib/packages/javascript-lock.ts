import { posix } from 'node:path';

/** The origin of a package in a lockfile. */
export type LockOrigin =
  | { readonly kind: 'registry' }
  /** The registry, at an explicit address. */
  | { readonly kind: 'address'; readonly url: string }
  /** Any other origin, as text for people. */
  | { readonly kind: 'elsewhere'; readonly words: string };

/** One package of a lockfile that lists each package once: those of pnpm, Yarn and Bun. */
export interface LockEntry {
  readonly name: string;
  readonly version: string;
  readonly origin: LockOrigin;
  /** Digest of its archive, `algorithm-base64`, or the form of its package manager; null if there is none. */
  readonly digest: string | null;
  readonly hasInstallScript: boolean;
}

/** A directory of the project that replaces a package. */
export interface LockLink {
  readonly name: string;
  /** Relative to the project root; begins with `..` if it leads outside. */
  readonly directory: string;
}

export interface JavascriptLock {
  readonly kind: 'lock';
  readonly packages: readonly LockEntry[];
  readonly links: readonly LockLink[];
  /** Why the packages cannot be installed here, as a sentence; null if they can. */
  readonly unusable: string | null;
}

export type JavascriptLockOutcome = JavascriptLock | { readonly kind: 'unreadable'; readonly why: string };

/** The project directory to which a link of the package in `from` leads. */
export function linkedDirectory(from: string, target: string): string {
  const joined = posix.normalize(posix.join(from, target)).replace(/\/$/, '');
  return joined === '.' ? '' : joined;
}

/** Packages in a version that `before` does not have, each once. Pure. */
export function newEntries<T extends Pick<LockEntry, 'name' | 'version'>>(
  before: readonly T[],
  after: readonly T[],
): T[] {
  const idOf = ({ name, version }: T): string => `${name}@${version}`;
  const known = new Set(before.map(idOf));
  return after.filter((each) => {
    const isNew = !known.has(idOf(each));
    known.add(idOf(each));
    return isNew;
  });
}
