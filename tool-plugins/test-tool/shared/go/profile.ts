/** `example.org/a/b.go:3.14,5.2 1 1`: a block from line 3 to line 5 with one statement, which ran. */
const BLOCK = /^(.+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$/;

/** Adds the lines that ran of a profile (`go tool cover`) to `found`, by the name that it has for their file. A file of which none ran has no lines. */
export function readGoProfile(profile: string, found: Map<string, Set<number>>): void {
  for (const line of profile.split('\n')) {
    const [, name, from, , to, column, count] = BLOCK.exec(line) ?? [];
    if (name === undefined) continue;
    const lines = found.get(name) ?? new Set();
    found.set(name, lines);
    // A block that goes to the first column of a line ends with the line before.
    const last = Number(column) === 1 ? Number(to) - 1 : Number(to);
    if (count !== '0') for (let each = Number(from); each <= last; each += 1) lines.add(each);
  }
}
