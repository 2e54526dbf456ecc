import type { Glob } from './glob.ts';
import { GlobTrie } from './glob-trie.ts';
import { matchGlob, matchGlobToTheEnd } from './match-glob.ts';
import { toMatchable } from './matchable-path.ts';
import type { MatchablePath } from './matchable-path.ts';

/** A list of globs that is matched as one. An empty one matches nothing. */
export class GlobSet {
  readonly globs: readonly Glob[];
  readonly #trie = new GlobTrie<Glob>();

  constructor(globs: readonly Glob[]) {
    this.globs = globs;
    for (const glob of globs) this.#trie.add(glob, glob);
  }

  get sources(): readonly string[] {
    return this.globs.map((glob) => glob.source);
  }

  /** `path` is normalised and project-relative; a trailing slash marks a directory. */
  matches(path: string): boolean {
    return this.matchesCutUp(toMatchable(path));
  }

  /**
   * Whether a glob matches the last name of the path, and not just a directory above it: `*.json` matches `a.json`, not `a.json/index.js`. A glob that is
   * written for all in a directory, with a slash or `**` at its end, matches what is in it.
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
