const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Added and removed lines of a unified diff. Lines are told from file headers by the counts of their hunk: a removed line may begin with two dashes. */
export function diffSize(diff: string): { readonly added: number; readonly removed: number } {
  let oldLeft = 0;
  let newLeft = 0;
  let added = 0;
  let removed = 0;
  for (const line of diff.split('\n')) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = HUNK.exec(line);
      if (hunk !== null) {
        oldLeft = Number(hunk[1] ?? 1);
        newLeft = Number(hunk[2] ?? 1);
      }
      continue;
    }
    const kind = line[0];
    if (kind === '+') added += 1;
    if (kind === '-') removed += 1;
    if (kind === '-' || kind === ' ' || kind === undefined) oldLeft -= 1;
    if (kind === '+' || kind === ' ' || kind === undefined) newLeft -= 1;
  }
  return { added, removed };
}
