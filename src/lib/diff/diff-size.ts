const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

export interface DiffSize {
  readonly added: number;
  readonly removed: number;
}

/** The size of a diff, and parts of it that a person would not see or not read. */
export interface DiffMeasures extends DiffSize {
  /** UTF-8 bytes of added and removed text. */
  readonly bytes: number;
  /** Characters of the longest changed line. */
  readonly longestLine: number;
  /** Names of characters in changed text that are invisible, or that end a line only for some readers. */
  readonly oddCharacters: readonly string[];
  /** Files that are shown only by their sizes and digests. */
  readonly binaryFiles: number;
}

/** Ends a line for editors, terminals or JavaScript, but not for git. A carriage return before a line feed belongs to it. */
const OTHER_LINE_ENDS = /\r(?!$)|[\v\f\u0085\u2028\u2029]/g;

const ODD: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'NUL', pattern: /\0/ },
  { name: 'a carriage return inside of a line', pattern: /\r(?!$)/ },
  { name: 'a line separator that git does not count', pattern: /[\v\f\u0085\u2028\u2029]/ },
  { name: 'a mark that changes the order in which text is shown', pattern: /[\u202a-\u202e\u2066-\u2069]/ },
  { name: 'a control character', pattern: /[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/ },
];

/** Added and removed lines of a unified diff, by any character that ends a line for some reader. */
export function diffSize(diff: string): DiffSize {
  const { added, removed } = measureDiff(diff);
  return { added, removed };
}

export function measureDiff(diff: string): DiffMeasures {
  let added = 0;
  let removed = 0;
  let bytes = 0;
  let longestLine = 0;
  let binaryFiles = 0;
  const odd = new Set<string>();
  for (const { kind, text } of bodyLines(diff)) {
    if (kind === 'binary') {
      binaryFiles += 1;
      continue;
    }
    const lines = 1 + (text.match(OTHER_LINE_ENDS)?.length ?? 0);
    if (kind === '+') added += lines;
    else removed += lines;
    bytes += Buffer.byteLength(text) + 1;
    longestLine = Math.max(longestLine, text.length);
    for (const { name, pattern } of ODD) if (pattern.test(text)) odd.add(name);
  }
  const oddCharacters = ODD.map(({ name }) => name).filter((name) => odd.has(name));
  return { added, removed, bytes, longestLine, oddCharacters, binaryFiles };
}

/**
 * Changed lines without their mark. The line counts of a hunk distinguish them from file headers, because a removed line may begin with two dashes.
 */
function* bodyLines(diff: string): Generator<{ readonly kind: '+' | '-' | 'binary'; readonly text: string }> {
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of diff.split('\n')) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = HUNK.exec(line);
      if (hunk !== null) {
        oldLeft = Number(hunk[1] ?? 1);
        newLeft = Number(hunk[2] ?? 1);
      } else if (line.startsWith('Binary files ')) yield { kind: 'binary', text: '' };
      continue;
    }
    const kind = line[0];
    if (kind === '+' || kind === '-') yield { kind, text: line.slice(1) };
    if (kind === '-' || kind === ' ' || kind === undefined) oldLeft -= 1;
    if (kind === '+' || kind === ' ' || kind === undefined) newLeft -= 1;
  }
}
