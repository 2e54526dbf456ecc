import type { Glob } from './glob.ts';
import { GlobTrie } from './glob-trie.ts';
import { toMatchable } from './matchable-path.ts';
import type { MatchablePath } from './matchable-path.ts';

/** A list of globs that is matched as one. An empty one matches nothing. */
export class GlobSet {
  readonly globs: readonly Glob[];
  readonly #trie = new GlobTrie();

  constructor(globs: readonly Glob[]) {
    this.globs = globs;
    for (const [index, glob] of globs.entries()) this.#trie.add(glob, index);
  }

  get sources(): readonly string[] {
    return this.globs.map((glob) => glob.source);
  }

  /** `path` is normalised and project-relative; a trailing slash marks a directory. */
  matches(path: string): boolean {
    return this.matchesCutUp(toMatchable(path));
  }

  matchesCutUp(path: MatchablePath): boolean {
    const found: number[] = [];
    this.#trie.collect(path, found);
    return found.length > 0;
  }
}
