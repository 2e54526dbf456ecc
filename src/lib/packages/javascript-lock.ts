import { posix } from 'node:path';

/** Where a lockfile says that a package comes from. */
export type LockOrigin =
  | { readonly kind: 'registry' }
  /** The registry, at an address of its own. */
  | { readonly kind: 'address'; readonly url: string }
  /** Neither, in words for humans. */
  | { readonly kind: 'elsewhere'; readonly words: string };

/** One package of a lockfile that is written for each package once: those of pnpm, Yarn and Bun. */
export interface LockEntry {
  readonly name: string;
  readonly version: string;
  readonly origin: LockOrigin;
  /** Of its archive, `algorithm-base64`, or what its package manager has for that; null: there is none. */
  readonly digest: string | null;
  readonly hasInstallScript: boolean;
}

/** A directory of the project in place of a package. */
export interface LockLink {
  readonly name: string;
  /** From the top of the project; begins with `..` where it leads out. */
  readonly directory: string;
}

export interface JavascriptLock {
  readonly kind: 'lock';
  readonly packages: readonly LockEntry[];
  readonly links: readonly LockLink[];
  /** Why what it describes cannot be installed here, in a sentence; null where it can. */
  readonly unusable: string | null;
}

export type JavascriptLockOutcome = JavascriptLock | { readonly kind: 'unreadable'; readonly why: string };

/** Where a link of the package in `from` leads, as a directory of the project. */
export function linkedDirectory(from: string, target: string): string {
  const joined = posix.normalize(posix.join(from, target)).replace(/\/$/, '');
  return joined === '.' ? '' : joined;
}

/** Pure: packages in a version that `before` does not have, each once. */
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
