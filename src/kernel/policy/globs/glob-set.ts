import type { Glob } from './glob.ts';
import { GlobTrie } from './glob-trie.ts';
import { toMatchable } from './match-glob.ts';

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
    const found: number[] = [];
    this.#trie.collect(toMatchable(path), found);
    return found.length > 0;
  }
}
