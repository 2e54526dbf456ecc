import type { Raw } from '../text/span.ts';

export type DiffLineKind = 'added' | 'removed' | 'context' | 'remark';

export interface DiffLine extends Raw {
  readonly kind: DiffLineKind;
  /** Number in the old file for a removed line, in the new file for any other; null for a remark. */
  readonly number: number | null;
  /** For a line of both files: its number in the old one. */
  readonly oldNumber?: number;
}

export interface Hunk {
  /** The function or section that git names after the second `@@`. */
  readonly heading: Raw;
  readonly startsAt: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  readonly hunks: readonly Hunk[];
  /** Remarks about the file: a mode, that it is new, that it is binary. */
  readonly remarks: readonly Raw[];
  readonly added: number;
  readonly removed: number;
}

export interface Diff {
  readonly files: readonly DiffFile[];
  /** Lines of a text that is no diff. */
  readonly loose: readonly Raw[];
  readonly added: number;
  readonly removed: number;
}

/**
 * Parses a unified diff for display. Within a hunk only the counts in its header decide what a line is, so that a removed line `-- a/file` is no file
 * name. Nothing is left out: other text is kept as loose lines.
 */
export function readDiff(text: string): Diff {
  const reading = new Reading();
  for (const line of text === '' ? [] : text.replace(/\n$/, '').split('\n')) reading.take(line);
  return reading.end();
}

interface OpenFile {
  path: string;
  readonly hunks: { readonly heading: Raw; readonly startsAt: number; readonly lines: DiffLine[] }[];
  readonly remarks: Raw[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;
/** Lines about a file that contain nothing beyond what is shown anyway. */
const SILENT = /^(index |similarity |dissimilarity )/;
const REMARK = /^(new file|deleted file|old mode|new mode|rename |copy |Binary files )/;

class Reading {
  readonly #files: OpenFile[] = [];
  readonly #loose: Raw[] = [];
  /** Remaining lines of the current hunk, by the counts of its header, and their numbers. */
  #oldLeft = 0;
  #newLeft = 0;
  #oldNumber = 0;
  #newNumber = 0;

  take(line: string): void {
    const file = this.#files.at(-1);
    const hunk = file?.hunks.at(-1);
    if (hunk !== undefined && (this.#oldLeft > 0 || this.#newLeft > 0)) this.#takeInHunk(hunk.lines, line);
    else if (hunk !== undefined && line.startsWith('\\')) hunk.lines.push({ kind: 'remark', number: null, raw: line });
    else this.#takeOutside(file, line);
  }

  end(): Diff {
    const files = this.#files.map(({ path, hunks, remarks }) => {
      const count = (kind: DiffLineKind) =>
        hunks.reduce((sum, { lines }) => sum + lines.filter((each) => each.kind === kind).length, 0);
      return { path, hunks, remarks, added: count('added'), removed: count('removed') };
    });
    const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + file[of], 0);
    return { files, loose: this.#loose, added: sum('added'), removed: sum('removed') };
  }

  #takeInHunk(lines: DiffLine[], line: string): void {
    const raw = line.slice(1);
    if (line.startsWith('+')) {
      lines.push({ kind: 'added', number: this.#newNumber, raw });
      this.#newNumber += 1;
      this.#newLeft -= 1;
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', number: this.#oldNumber, raw });
      this.#oldNumber += 1;
      this.#oldLeft -= 1;
    } else if (line.startsWith('\\')) {
      lines.push({ kind: 'remark', number: null, raw: line });
    } else {
      const text = line.startsWith(' ') ? raw : line;
      lines.push({ kind: 'context', number: this.#newNumber, oldNumber: this.#oldNumber, raw: text });
      this.#oldNumber += 1;
      this.#newNumber += 1;
      this.#oldLeft -= 1;
      this.#newLeft -= 1;
    }
  }

  #takeOutside(file: OpenFile | undefined, line: string): void {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      const [, oldStart, oldCount, newStart, newCount, heading] = hunk;
      this.#oldNumber = Number(oldStart);
      this.#newNumber = Number(newStart);
      this.#oldLeft = Number(oldCount ?? 1);
      this.#newLeft = Number(newCount ?? 1);
      const open = file ?? this.#open('');
      open.hunks.push({ heading: { raw: heading ?? '' }, startsAt: Number(newStart), lines: [] });
    } else if (line.startsWith('diff --git ')) {
      this.#open(nameInBoth(line.slice('diff --git '.length)));
    } else if (line.startsWith('--- ') || line.startsWith('+++ ')) {
      const open = file === undefined || file.hunks.length > 0 ? this.#open('') : file;
      open.path = nameOf(line.slice(4)) ?? open.path;
    } else if (file !== undefined && REMARK.test(line)) {
      file.remarks.push({ raw: line });
    } else if (file === undefined || !SILENT.test(line)) {
      this.#loose.push({ raw: line });
    }
  }

  #open(path: string): OpenFile {
    const file = { path, hunks: [], remarks: [] };
    this.#files.push(file);
    return file;
  }
}

/** `a/name b/name`, where both names are equal and may contain blanks. */
function nameInBoth(names: string): string {
  return nameOf(names.slice(0, Math.floor(names.length / 2))) ?? '';
}

/** The name without its side prefix and without the tab that git writes after a name with blanks; null for a missing side. */
function nameOf(side: string): string | null {
  if (side === '/dev/null') return null;
  return side.replace(/\t$/, '').replace(/^("?)[ab]\//, '$1');
}
