/** `main~2^2`: a name, and the steps from there, each to a parent (1 is the first; 0 stays, like `^0`). */
export interface Revision {
  /** As it was written. */
  readonly text: string;
  readonly name: string;
  readonly steps: readonly number[];
}

export interface RevisionRange {
  readonly from: Revision;
  readonly to: Revision;
}

const MAX_STEPS = 100_000;

/** Parses `A..B`; a missing side means HEAD. null for other forms that git accepts: three dots, a single revision, `--all`. */
export function parseRange(text: string): RevisionRange | null {
  const parts = text.split('..');
  if (parts.length !== 2 || text.includes('...')) return null;
  const [from = null, to = null] = parts.map((part) => parseRevision(part === '' ? 'HEAD' : part));
  return from === null || to === null ? null : { from, to };
}

/** A revision of names, `~`, `~N`, `^` and `^N`; null for anything else. */
export function parseRevision(text: string): Revision | null {
  const found = /^([^~^:?*[\\\s]+)((?:[~^]\d*)*)$/.exec(text);
  if (found === null || found[1]?.startsWith('-') === true) return null;
  const steps: number[] = [];
  for (const [, kind, digits] of (found[2] ?? '').matchAll(/([~^])(\d*)/g)) {
    const count = digits === '' ? 1 : Number(digits);
    if (count > MAX_STEPS) return null;
    if (kind === '^') steps.push(count);
    else for (let step = 0; step < count; step += 1) steps.push(1);
  }
  if (steps.length > MAX_STEPS) return null;
  return { text, name: found[1] === '@' ? 'HEAD' : (found[1] ?? ''), steps };
}

/** The refs that a short name may mean, in git's order. */
export function refCandidates(name: string): string[] {
  return [
    name,
    `refs/${name}`,
    `refs/tags/${name}`,
    `refs/heads/${name}`,
    `refs/remotes/${name}`,
    `refs/remotes/${name}/HEAD`,
  ];
}
