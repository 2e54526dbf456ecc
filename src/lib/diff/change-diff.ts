import { ownValue } from '../own-value.ts';
import { decodeUtf8 } from '../text/decode-utf8.ts';
import type { ChangeSet, FileChange, FileState } from '../../contracts/review/change-set.ts';
import { createUnifiedDiff } from './unified-diff.ts';

/** Content of one side of a change; null if it is not available (too large, gone). */
export interface DiffContents {
  before(change: FileChange): Buffer | null;
  after(change: FileChange): Buffer | null;
}

/** A larger text is shown as sizes and hashes, like a binary file. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** git searches this many bytes for a NUL. */
const PROBE_BYTES = 8000;
/** Tab, line feed, vertical tab, form feed, carriage return, escape. */
const TEXT_CONTROLS: readonly number[] = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b];
const MIN_BYTES_PER_CONTROL = 10;

/**
 * A change set in git's diff format: one section per file in the order of the change set; a moved file is one deleted and one added. Depends only on
 * its input, so that its hash can be signed.
 */
export function diffChanges(changes: ChangeSet, contents: DiffContents): string {
  return changes.map((change) => diffChange(change, contents)).join('');
}

function diffChange(change: FileChange, contents: DiffContents): string {
  const before = modeOf(change.before);
  const after = modeOf(change.after);
  if (before === null && after === null) return '';
  // A file that becomes a link, or a link that becomes a file, is shown as one deleted and one added.
  if (before !== null && after !== null && (before === LINK) !== (after === LINK)) {
    return (
      diffChange({ ...change, after: { kind: 'absent' } }, contents) +
      diffChange({ ...change, before: { kind: 'absent' } }, contents)
    );
  }
  const oldName = quoteName(`a/${change.path}`);
  const newName = quoteName(`b/${change.path}`);
  return [`diff --git ${oldName} ${newName}\n`, ...modeLines(before, after), body(change, contents)].join('');
}

function modeLines(before: string | null, after: string | null): string[] {
  if (before === null) return [`new file mode ${after}\n`];
  if (after === null) return [`deleted file mode ${before}\n`];
  return before === after ? [] : [`old mode ${before}\n`, `new mode ${after}\n`];
}

function body(change: FileChange, contents: DiffContents): string {
  const { before, after } = change;
  if (before.kind === 'file' && after.kind === 'file' && before.sha256 === after.sha256) return '';
  const oldText = textOf(before, () => contents.before(change));
  const newText = textOf(after, () => contents.after(change));
  if (oldText === null || newText === null) {
    return `Binary files differ: ${describe(before)} -> ${describe(after)}\n`;
  }
  const hunks = createUnifiedDiff('', oldText, newText).split('\n').slice(2).join('\n');
  if (hunks === '') return '';
  const oldName = modeOf(before) === null ? '/dev/null' : headerName(`a/${change.path}`);
  const newName = modeOf(after) === null ? '/dev/null' : headerName(`b/${change.path}`);
  return `--- ${oldName}\n+++ ${newName}\n${hunks}`;
}

const LINK = '120000';

function modeOf(state: FileState): string | null {
  switch (state.kind) {
    case 'absent':
    case 'directory':
      return null;
    case 'symlink':
      return LINK;
    case 'file':
      return state.executable ? '100755' : '100644';
  }
}

function textOf(state: FileState, bytes: () => Buffer | null): string | null {
  switch (state.kind) {
    case 'absent':
    case 'directory':
      return '';
    case 'symlink':
      return state.target;
    case 'file':
      return state.size > MAX_TEXT_BYTES ? null : decodeText(bytes());
  }
}

/**
 * null for binary content. git treats a file with a single NUL as binary, which would hide a program from the person who approves it. Here a file is
 * text if it is UTF-8 and few of its characters are control characters. Code that shows a diff must escape these.
 */
function decodeText(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  const probe = bytes.subarray(0, PROBE_BYTES);
  const controls = probe.filter((byte) => byte < 0x20 && !TEXT_CONTROLS.includes(byte)).length;
  return controls * MIN_BYTES_PER_CONTROL > probe.length ? null : decodeUtf8(bytes);
}

function describe(state: FileState): string {
  return state.kind === 'file' ? `${state.size} bytes, sha256 ${state.sha256}` : 'nothing';
}

/** git marks the end of a name that contains a blank by a tab. */
function headerName(name: string): string {
  const quoted = quoteName(name);
  return quoted === name && name.includes(' ') ? `${name}\t` : quoted;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Like git with `core.quotePath=false`: only characters that would break the line or the quotes are escaped. */
function quoteName(name: string): string {
  const escaped = name.replace(
    /[\u0000-\u001f\u007f"\\]/g,
    (char) => ownValue(ESCAPES, char) ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return escaped === name ? name : `"${escaped}"`;
}
