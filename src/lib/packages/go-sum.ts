/** A module version whose archive has a checksum in go.sum. */
export interface SummedModule {
  readonly path: string;
  readonly version: string;
  /** `h1:` and the hash of its files. */
  readonly digest: string;
}

export type GoSumOutcome =
  | {
      readonly kind: 'sums';
      readonly modules: readonly SummedModule[];
      /** All lines, including those of go.mod files. */
      readonly lines: readonly string[];
    }
  | { readonly kind: 'unreadable'; readonly why: string };

const LINE = /^([^\s@]+) (v[^\s/@]+)(\/go\.mod)? (h1:[A-Za-z0-9+/]{43}=)$/;

/** Reads go.sum. Go ignores a line with an unknown kind of hash, so such a line would check nothing: it makes the file unreadable. Pure. */
export function readGoSum(text: string): GoSumOutcome {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const modules: SummedModule[] = [];
  const digests = new Map<string, string>();
  for (const line of lines) {
    const [, path, version, ofGoMod, digest] = LINE.exec(line) ?? [];
    if (path === undefined || version === undefined || digest === undefined)
      return { kind: 'unreadable', why: `it has the line ${JSON.stringify(line.slice(0, 200))}` };
    const key = `${path}@${version}${ofGoMod ?? ''}`;
    if ((digests.get(key) ?? digest) !== digest) return { kind: 'unreadable', why: `it has two digests of ${key}` };
    if (ofGoMod === undefined && !digests.has(key)) modules.push({ path, version, digest });
    digests.set(key, digest);
  }
  return { kind: 'sums', modules, lines };
}

/** Modules that the old file does not have in the same version. */
export function newModules(before: readonly SummedModule[], after: readonly SummedModule[]): readonly SummedModule[] {
  const known = new Set(before.map(({ path, version }) => `${path}@${version}`));
  return after.filter(({ path, version }) => !known.has(`${path}@${version}`));
}
