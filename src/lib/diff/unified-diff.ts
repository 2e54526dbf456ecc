import { createHash } from 'node:crypto';
import { formatPatch, structuredPatch } from 'diff';
import type { StructuredPatch, StructuredPatchHunk } from 'diff';

/** Beyond this many changed lines the shortest diff is too expensive: the whole text is replaced by one hunk. */
const MAX_EDIT_LENGTH = 1000;

const CONTEXT_LINES = 3;

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_NEWLINE = '\\ No newline at end of file';

/**
 * A unified diff that turns `before` into `after`; '' if they are equal. Lines end only at LF, so a CR belongs to its line and mixed line ends are
 * kept. `path` appears only in the header.
 */
export function createUnifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const patch: StructuredPatch = structuredPatch(`a/${path}`, `b/${path}`, before, after, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH,
  }) ?? {
    oldFileName: `a/${path}`,
    newFileName: `b/${path}`,
    oldHeader: '',
    newHeader: '',
    index: undefined,
    hunks: [replaceEverything(before, after)],
  };
  return formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
}

export type ApplyOutcome =
  { readonly kind: 'applied'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

/**
 * Applies a diff of one file without any tolerance: every hunk at exactly its line, every context and removed line equal, counts as announced,
 * nothing left over. One pass over both texts for any patch: it may come from a sandbox that wants to keep the kernel busy.
 */
export function applyUnifiedDiff(before: string, patch: string): ApplyOutcome {
  if (patch === '') return { kind: 'applied', text: before };
  const old = toLines(before);
  const lines = toLines(patch);
  if (!lines[0]?.startsWith('--- ') || !lines[1]?.startsWith('+++ ')) return refused('the patch has no file header');

  const out: string[] = [];
  let taken = 0;
  let at = 2;
  while (at < lines.length) {
    const header = HUNK_HEADER.exec(lines[at] ?? '');
    if (header === null) return refused(`line ${at + 1} of the patch is not a hunk header`);
    at += 1;
    let oldLeft = Number(header[2] ?? 1);
    let newLeft = Number(header[4] ?? 1);
    // A hunk that removes nothing names the line before it.
    const start = oldLeft === 0 ? Number(header[1]) : Number(header[1]) - 1;
    if (start < taken || start > old.length) return refused(`a hunk starts at line ${header[1]}, out of order`);
    for (; taken < start; taken += 1) out.push(old[taken] ?? '');
    if (Number(header[3]) !== (newLeft === 0 ? out.length : out.length + 1)) {
      return refused(`a hunk claims line ${header[3]} of the result`);
    }

    while (oldLeft > 0 || newLeft > 0) {
      const line = lines[at];
      if (line === undefined) return refused('the patch ends inside a hunk');
      at += 1;
      const unterminated = lines[at]?.startsWith(NO_NEWLINE) === true;
      if (unterminated) at += 1;
      const text = unterminated ? line.slice(1).replace(/\n$/, '') : line.slice(1);
      const sign = line.charAt(0);
      if (sign === ' ' || sign === '-') {
        if (oldLeft === 0 || old[taken] !== text) return refused(`line ${taken + 1} differs from the patch`);
        taken += 1;
        oldLeft -= 1;
      }
      if (sign === ' ' || sign === '+') {
        if (newLeft === 0) return refused('a hunk is longer than its header says');
        out.push(text);
        newLeft -= 1;
      }
      if (sign !== ' ' && sign !== '-' && sign !== '+')
        return refused(`line ${at} of the patch is neither context, addition nor removal`);
    }
  }
  for (; taken < old.length; taken += 1) out.push(old[taken] ?? '');
  if (out.slice(0, -1).some((line) => !line.endsWith('\n'))) return refused('a line in the middle has no end');
  return { kind: 'applied', text: out.join('') };
}

/** Applies a patch from another program, and accepts the result only if it has the announced SHA-256 (over UTF-8). */
export function applyVerified(before: string, patch: string, sha256: string): ApplyOutcome {
  const outcome = applyUnifiedDiff(before, patch);
  if (outcome.kind === 'refused') return outcome;
  const found = createHash('sha256').update(outcome.text, 'utf8').digest('hex');
  return found === sha256 ? outcome : refused('the patched text does not have the announced hash');
}

function refused(reason: string): ApplyOutcome {
  return { kind: 'refused', reason };
}

/** Lines with their LF; the last one without it if the text does not end in one. */
function toLines(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function replaceEverything(before: string, after: string): StructuredPatchHunk {
  const removed = toLines(before);
  const added = toLines(after);
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...marked('-', removed), ...marked('+', added)],
  };
}

function marked(sign: '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_NEWLINE]));
}
