import { ownValue } from '../../../lib/own-value.ts';
import { firstText } from '../../../lib/text/first-last.ts';

/** The rest of a diff, and the number of files that were left out. */
export interface ReadableDiff {
  readonly text: string;
  readonly leftOut: number;
}

/** The mark where a tool cut its output in the middle: the lines after it may belong to a file whose name was cut. */
const GAP = /^… \d+ bytes left out …$/;

/**
 * Removes every file that may not be read from the output of `git diff`, by its old or new name. A section whose header
 * does not name its files clearly is removed too. In a section's body every line begins with a space, `+`, `-` or `\`,
 * so content cannot look like a header. Expects the prefixes `a/` and `b/`.
 */
export function readableDiff(diff: string, readable: (path: string) => boolean): ReadableDiff {
  const sections: string[][] = [];
  let stray = 0;
  for (const line of diff.split('\n')) {
    if (GAP.test(line)) {
      stray += 1;
      break;
    }
    if (line.startsWith('diff ')) sections.push([line]);
    else if (sections.length > 0) sections.at(-1)?.push(line);
    else if (line !== '') stray = 1;
  }
  const kept = sections.filter((lines) => {
    const names = namesOf(lines);
    return names !== null && names.every(readable);
  });
  const text = kept.map((lines) => lines.join('\n').replace(/\n$/, '')).join('\n');
  return { text: text === '' ? '' : `${text}\n`, leftOut: sections.length - kept.length + stray };
}

/** Both names of a section; null if the section does not say them clearly. */
function namesOf(lines: readonly string[]): readonly string[] | null {
  const header = /^diff --git (.+)$/.exec(firstText(lines))?.[1];
  if (header === undefined) return null;
  const body = lines.findIndex((line, index) => index > 0 && !EXTENDED.test(line));
  const extended = lines.slice(1, body === -1 ? lines.length : body);
  // Lines of another section that git shows without a header of its own, such as a submodule's.
  if (lines.slice(extended.length + 1).some((line) => line !== '' && !BODY.test(line))) return null;
  const from = named(extended, /^(?:rename|copy) from (.+)$/);
  const to = named(extended, /^(?:rename|copy) to (.+)$/);
  if (from !== null || to !== null) {
    if (from === null || to === null) return null;
    return spellings('a/', from).some((a) => spellings('b/', to).some((b) => `${a} ${b}` === header))
      ? [from, to]
      : null;
  }
  // Without a rename both names are equal, so the two halves of the header are equal too.
  const half = (header.length - 1) / 2;
  if (!Number.isInteger(half) || header[half] !== ' ') return null;
  const before = unquote(header.slice(0, half));
  const after = unquote(header.slice(half + 1));
  if (before?.startsWith('a/') !== true || after !== `b/${before.slice(2)}`) return null;
  return [before.slice(2)];
}

const EXTENDED =
  /^(?:old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index) /;
const BODY = /^(?:[ +\\-]|@@ |Binary files |\* Unmerged path )/;

function named(lines: readonly string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return unquote(name);
  }
  return null;
}

/** The two ways in which git may write a name in the header: bare, or quoted as a whole. They are compared unquoted. */
function spellings(prefix: string, name: string): string[] {
  return [prefix + name, quote(prefix + name)];
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A name as git writes it, C-style in quotes if it has special characters; null if it is written wrongly. */
function unquote(written: string): string | null {
  if (!written.startsWith('"')) return written;
  const inner = /^"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"$/.exec(written)?.[1];
  if (inner === undefined) return null;
  const parts = inner.match(/\\[0-3][0-7]{2}|\\.|[^\\]+/g) ?? [];
  const bytes = parts.map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part, 'utf8');
    const escaped = ownValue(ESCAPES, part.slice(1));
    return Buffer.from([escaped ?? Number.parseInt(part.slice(1), 8)]);
  });
  return Buffer.concat(bytes).toString('utf8');
}

/** Quotes like git with `core.quotePath` off: only control characters, quotes and backslashes. */
function quote(name: string): string {
  const letters = Object.entries(ESCAPES);
  const escaped = [...name].map((char) => {
    const code = char.codePointAt(0) ?? 0;
    const letter = letters.find(([, value]) => value === code)?.[0];
    if (letter !== undefined) return `\\${letter}`;
    return code < 32 || code === 127 ? `\\${code.toString(8).padStart(3, '0')}` : char;
  });
  return `"${escaped.join('')}"`;
}
