/** A patch in the format that begins with `*** Begin Patch`: the change of each file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly moveTo: string | null; readonly hunks: readonly Hunk[] };

/** Lines of a file and their replacement. */
export interface Hunk {
  /** Lines that come before it in the file, in order (`@@ def f():`). */
  readonly headers: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether it must be at the end of the file. */
  readonly atEnd: boolean;
}

export type ParsedPatch =
  { readonly kind: 'ok'; readonly files: readonly FilePatch[] } | { readonly kind: 'invalid'; readonly why: string };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const FILE_HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

const NO_BEGIN = `The patch has no line "${BEGIN}". Begin with it, then name each file by "*** Update File: path", "*** Add File: path" or "*** Delete File: path".`;
const MAX_FILES = 100;
const MAX_LINES = 100_000;
const MAX_HEADERS = 20;

class Malformed extends Error {}

/**
 * Parses such a patch. Models also write blanks around the lines with `***`, a fence or a here-document around the whole, and no end line; all of
 * these are accepted.
 */
export function parsePatch(text: string): ParsedPatch {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.length > MAX_LINES) return { kind: 'invalid', why: `At most ${MAX_LINES} lines.` };
  const readers = patchesIn(lines);
  if (readers.length === 0) return { kind: 'invalid', why: NO_BEGIN };
  try {
    const files = readers.flatMap(filesIn);
    if (files.length > MAX_FILES) return { kind: 'invalid', why: `At most ${MAX_FILES} files.` };
    const paths = files.flatMap(pathsOf);
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined) return { kind: 'invalid', why: namedTwice(twice) };
    return files.length === 0 ? { kind: 'invalid', why: 'The patch changes no file.' } : { kind: 'ok', files };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'invalid', why: error.message };
    throw error;
  }
}

/** The lines of each patch: a model may send several, one after the other. What is between and around them is no part of any. */
function patchesIn(lines: readonly string[]): Reader[] {
  const ends = (line: string): boolean => line.trimEnd() === END;
  // A line with a blank before it is the end only if no other line is: it may be a line of a file.
  const isEnd = lines.some(ends) ? ends : (line: string): boolean => line.trim() === END;
  const readers: Reader[] = [];
  let begin: number | null = null;
  const close = (end: number): void => {
    if (begin !== null) readers.push(new Reader(lines.slice(begin + 1, end), begin + 2));
    begin = null;
  };
  for (const [index, line] of lines.entries()) {
    if (begin === null) begin = line.trim() === BEGIN ? index : null;
    else if (isEnd(line)) close(index);
  }
  close(lines.length);
  return readers;
}

function filesIn(reader: Reader): FilePatch[] {
  const files: FilePatch[] = [];
  while (reader.skipBlank() && files.length <= MAX_FILES) files.push(parseFile(reader));
  return files;
}

export function namedTwice(path: string): string {
  return `The patch names ${path} twice: put all its hunks behind one header.`;
}

export function pathsOf(file: FilePatch): readonly string[] {
  return file.kind === 'update' && file.moveTo !== null ? [file.path, file.moveTo] : [file.path];
}

function parseFile(reader: Reader): FilePatch {
  const [, kind, path = ''] = FILE_HEADER.exec(reader.next().trim()) ?? [];
  switch (kind) {
    case 'Add':
      return { kind: 'add', path: path.trim(), content: addedLines(reader) };
    case 'Delete':
      return { kind: 'delete', path: path.trim() };
    case 'Update': {
      const moveTo = MOVE.exec(reader.peek()?.trim() ?? '')?.[1]?.trim() ?? null;
      if (moveTo !== null) reader.next();
      const hunks: Hunk[] = [];
      while (reader.inFile()) hunks.push(parseHunk(reader));
      if (hunks.length === 0 && moveTo === null) throw reader.fault(`the update of ${path} has no lines`);
      return { kind: 'update', path: path.trim(), moveTo, hunks };
    }
    case undefined:
    default:
      throw reader.fault('expected "*** Add File: ", "*** Update File: " or "*** Delete File: "');
  }
}

function addedLines(reader: Reader): string {
  const lines: string[] = [];
  let blanks: string[] = [];
  while (reader.inFile()) {
    const line = reader.next();
    if (line.startsWith('+')) {
      lines.push(...blanks, line.slice(1));
      blanks = [];
    } else if (line.trim() === '') {
      // Models leave out the "+" of an empty line; behind the last line it belongs to the patch.
      blanks.push('');
    } else throw reader.fault('each line of an added file begins with "+"');
  }
  return lines.map((line) => `${line}\n`).join('');
}

function parseHunk(reader: Reader): Hunk {
  const headers: string[] = [];
  while (reader.peek()?.trimStart().startsWith('@@') === true) {
    const header = reader.next().trim().replace(/^@@ ?/, '');
    // Like a unified diff; its line numbers are not used.
    const numberless = header.replace(/^-\d+(,\d+)? \+\d+(,\d+)? @@ ?/, '');
    const text = numberless.endsWith('@@') ? numberless.slice(0, -2).trimEnd() : numberless;
    if (text.trim() !== '') headers.push(text);
    if (headers.length > MAX_HEADERS) throw reader.fault(`a hunk has at most ${MAX_HEADERS} headers`);
  }
  const before: string[] = [];
  const after: string[] = [];
  let atEnd = false;
  while (reader.inFile() && reader.peek()?.startsWith('@@') !== true) {
    const line = reader.next();
    if (line.trim() === END_OF_FILE) {
      atEnd = true;
      break;
    }
    const text = line.slice(1);
    if (line.startsWith('+')) after.push(text);
    else if (line.startsWith('-')) before.push(text);
    else if (line.startsWith(' ') || line === '') {
      before.push(text);
      after.push(text);
    } else throw reader.fault('each line of a hunk begins with " ", "-" or "+"');
  }
  // An empty line before the next header belongs to the patch, not to the file.
  if (reader.lastWasEmpty && !atEnd && before.at(-1) === '' && after.at(-1) === '' && before.length > 1) {
    before.pop();
    after.pop();
  }
  if (before.length === 0 && after.length === 0) throw reader.fault('a hunk without lines');
  return { headers, before, after, atEnd };
}

class Reader {
  readonly #lines: readonly string[];
  readonly #firstNumber: number;
  #at = 0;

  constructor(lines: readonly string[], firstNumber: number) {
    this.#lines = lines;
    this.#firstNumber = firstNumber;
  }

  peek(): string | undefined {
    return this.#lines[this.#at];
  }

  next(): string {
    const line = this.#lines[this.#at] ?? '';
    this.#at += 1;
    return line;
  }

  get lastWasEmpty(): boolean {
    return this.#lines[this.#at - 1] === '';
  }

  /** Skips blank lines; returns whether anything is left. */
  skipBlank(): boolean {
    while (this.peek()?.trim() === '') this.#at += 1;
    return this.peek() !== undefined;
  }

  /** Whether the next line still belongs to the current file. */
  inFile(): boolean {
    const line = this.peek();
    if (line === undefined || line.trim() === END_OF_FILE) return line !== undefined;
    // With a blank before it, it may be a line of the file.
    return !line.startsWith('*** ') && !FILE_HEADER.test(line.trim());
  }

  fault(what: string): Malformed {
    return new Malformed(`Line ${this.#firstNumber + this.#at - 1} of the patch: ${what}.`);
  }
}
