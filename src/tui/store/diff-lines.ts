import { assertNever } from '../../lib/assert-never.ts';
import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

export type DiffLineKind = 'file' | 'hunk' | 'added' | 'removed' | 'context' | 'remark';

export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: SafeText;
}

export interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  readonly files: number;
  /** Lines that were left out at the end. */
  readonly hidden: number;
}

/**
 * Reads a unified diff for display. Within a hunk only the counts of its head decide what a line is, so that a removed line which
 * itself reads `-- a/file` is no file name. Text that is no diff comes out as context.
 */
export function readDiff(text: string): Diff {
  const lines: DiffLine[] = [];
  let old = 0;
  let fresh = 0;
  let files = 0;
  for (const raw of text === '' ? [] : text.replace(/\n$/, '').split('\n')) {
    const kind = old > 0 || fresh > 0 ? insideHunk(raw) : outsideHunk(raw);
    switch (kind) {
      case 'hunk': {
        const head = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(raw);
        old = Number(head?.[1] ?? 1);
        fresh = Number(head?.[2] ?? 1);
        break;
      }
      case 'added':
        fresh -= 1;
        break;
      case 'removed':
        old -= 1;
        break;
      case 'context':
        old = Math.max(0, old - 1);
        fresh = Math.max(0, fresh - 1);
        break;
      case 'file':
        if (raw.startsWith('+++ ')) files += 1;
        break;
      case 'remark':
        break;
      default:
        assertNever(kind);
    }
    lines.push({ kind, text: safeLine(raw) });
  }
  const count = (kind: DiffLineKind) => lines.filter((each) => each.kind === kind).length;
  return { lines, added: count('added'), removed: count('removed'), files, hidden: 0 };
}

function insideHunk(line: string): DiffLineKind {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('\\') ? 'remark' : 'context';
}

function outsideHunk(line: string): DiffLineKind {
  if (line.startsWith('@@ ')) return 'hunk';
  if (/^(--- |\+\+\+ |diff |index |new file|deleted file|old mode|new mode|rename |similarity )/.test(line))
    return 'file';
  return line.startsWith('\\') ? 'remark' : 'context';
}

/** The changed parts of one file's diff without its head, cut to `limit` lines: a reminder of what was written, not what anybody approves. */
export function collapseDiff(diff: Diff, limit: number): Diff {
  const body = diff.lines.filter((each) => each.kind !== 'file' && each.kind !== 'remark');
  const shown =
    body[0]?.kind === 'hunk' && body.filter((each) => each.kind === 'hunk').length === 1 ? body.slice(1) : body;
  return { ...diff, lines: shown.slice(0, limit), hidden: Math.max(0, shown.length - limit) };
}
