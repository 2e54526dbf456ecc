import { posix } from 'node:path';

/** What begins a test of this name, and what belongs to it above. */
interface Form {
  readonly files: RegExp;
  begins(name: string): RegExp;
  /** Lines directly above that belong to it: attributes, decorators, annotations, comments. */
  readonly above: RegExp;
  /** What the last line begins with, at the indentation of the first; null: it ends before the next line that is not indented deeper. */
  readonly end: string | null;
}

const FORMS: readonly Form[] = [
  {
    files: /\.py$/,
    begins: (name) => new RegExp(`^(?:async )?def ${name}\\(`),
    above: /^@|^#/,
    end: null,
  },
  {
    files: /\.rs$/,
    begins: (name) => new RegExp(`^(?:pub )?(?:async )?fn ${name}\\(`),
    above: /^#\[|^\/\//,
    end: '}',
  },
  { files: /\.go$/, begins: (name) => new RegExp(`^func ${name}\\(`), above: /^\/\//, end: '}' },
  {
    files: /\.java$/,
    begins: (name) => new RegExp(`^(?:public |protected )?(?:final )?void ${name}\\(`),
    above: /^@|^\*|^\/\*/,
    end: '}',
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    begins: (name) => new RegExp(`^(?:it|test)\\((?:'${name}'|"${name}"|\`${name}\`)`),
    above: /^\/\//,
    end: '}',
  },
];

/**
 * Pure: a test file without one test, which is found by the name that the runner gave it and by its indentation; null where it is not found so. Names of
 * parametrised cases, of subtests and of the groups around are taken off.
 */
export function withoutTest(path: string, text: string, reported: string): string | null {
  const form = FORMS.find(({ files }) => files.test(posix.basename(path)));
  const lines = text.split('\n');
  for (const name of form === undefined ? [] : namesOf(reported)) {
    const pattern = form?.begins(name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    const found = lines.flatMap((line, index) => (pattern?.test(line.trimStart()) === true ? [index] : []));
    // Of several in groups of their own, the one below the line that names its group.
    const group =
      found.length > 1 ? lines.findIndex((line) => new RegExp(`['"\`]${groupOf(reported)}['"\`]`).test(line)) : 0;
    const first = group === -1 ? undefined : found.find((line) => line > group || found.length === 1);
    if (form === undefined || first === undefined) continue;
    const last = lastLine(lines, first, form.end);
    if (last === null) continue;
    let start = first;
    for (let next = above(lines, start, form.above); next !== start; next = above(lines, start, form.above))
      start = next;
    const rest = lines.toSpliced(start, last - start + 1);
    if (rest[start]?.trim() === '' && rest[start - 1]?.trim() === '') rest.splice(start, 1);
    return rest.join('\n');
  }
  return null;
}

/** Where what belongs to a test above it begins: one line, or all lines of a decorator that is written over several. */
function above(lines: readonly string[], start: number, pattern: RegExp): number {
  const line = lines[start - 1] ?? '';
  if (pattern.test(line.trimStart())) return start - 1;
  if (!line.trimStart().startsWith(')')) return start;
  let first = start - 2;
  while (first >= 0 && indentOf(lines[first] ?? '') > indentOf(line)) first -= 1;
  const begins = lines[first] ?? '';
  return indentOf(begins) === indentOf(line) && pattern.test(begins.trimStart()) ? first : start;
}

function namesOf(reported: string): readonly string[] {
  const parts = reported.split(/ > |::/);
  const last = (parts.at(-1) ?? '').replace(/\[.*\]$|\(.*\)$/s, '');
  return [...new Set([last, parts[0]?.split('/')[0] ?? ''])];
}

function groupOf(reported: string): string {
  return (reported.split(' > ').at(-2) ?? '\0').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function lastLine(lines: readonly string[], first: number, end: string | null): number | null {
  const indent = indentOf(lines[first] ?? '');
  const below = lines.findIndex(
    (line, index) => index > first && line.trim() !== '' && indentOf(line) <= indent && !/^\s*\)/.test(line),
  );
  if (end === null) {
    let last = below === -1 ? lines.length - 1 : below - 1;
    while (lines[last]?.trim() === '') last -= 1;
    return last;
  }
  return below !== -1 && indentOf(lines[below] ?? '') === indent && (lines[below] ?? '').trimStart().startsWith(end)
    ? below
    : null;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
