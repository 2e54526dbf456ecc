import { foldPath } from './fold-path.ts';
import type { Glob } from './glob.ts';
import { GlobTrie } from './glob-trie.ts';
import { matchGlob, matchGlobToTheEnd } from './match-glob.ts';
import { toMatchable } from './matchable-path.ts';
import type { MatchablePath } from './matchable-path.ts';
import { foldGlob } from './parse-glob.ts';

/** A list of globs that is matched as one. An empty list matches nothing. A folded list also matches names that differ only in case (`foldPath`). */
export class GlobSet {
  readonly globs: readonly Glob[];
  readonly #trie = new GlobTrie<Glob>();
  readonly #folds: boolean;

  constructor(globs: readonly Glob[], names: 'exact' | 'folded' = 'exact') {
    this.globs = globs;
    this.#folds = names === 'folded';
    for (const glob of globs) {
      this.#trie.add(glob, glob);
      const folded = this.#folds ? foldGlob(glob) : null;
      if (folded !== null) this.#trie.add(folded, folded);
    }
  }

  get sources(): readonly string[] {
    return this.globs.map((glob) => glob.source);
  }

  /** `path` is normalised and project-relative; a trailing slash marks a directory. */
  matches(path: string): boolean {
    const exact = toMatchable(path);
    if (this.matchesCutUp(exact)) return true;
    return this.#folds && !exact.plain && this.matchesCutUp(toMatchable(foldPath(path)));
  }

  /**
   * Whether a glob matches the last name of the path, and not only a directory above it: `*.json` matches `a.json`, not `a.json/index.js`. A glob for
   * the content of a directory, with a slash or `**` at its end, matches that content.
   */
  matchesLeaf(path: string): boolean {
    const whole = toMatchable(path);
    return this.globs.some((glob) =>
      forWholeDirectories(glob) ? matchGlob(glob, whole) : matchGlobToTheEnd(glob, whole),
    );
  }

  matchesCutUp(path: MatchablePath): boolean {
    return this.#trie.collect(path).length > 0;
  }
}

function forWholeDirectories({ directoryOnly, source }: Glob): boolean {
  return directoryOnly || source === '**' || source.endsWith('/**');
}
