import type { ToolInput } from '../../../contracts/tools.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { decodeText } from './decode-text.ts';
import type { NativeScope } from './existing-path.ts';
import { existingPath } from './existing-path.ts';
import type { NativeAnswer } from './native-answer.ts';
import { answer, refuse } from './native-answer.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const DEFAULT_LINES = 2000;
const MAX_LINE_CHARS = 2000;
/** The router cuts longer answers in their middle, where a reader would not expect it; this cuts at a line and says how to go on. */
const MAX_ANSWER_CHARS = 80_000;

/** `fs.read`: lines with their numbers, from `offset` on. */
export async function readFile(input: ToolInput<'fs.read'>, scope: NativeScope): Promise<NativeAnswer> {
  const found = await existingPath(scope, input.path);
  if (found.kind === 'refused') return found.answer;
  const read = await scope.workspace.read(found.path, MAX_FILE_BYTES);
  switch (read.kind) {
    case 'file':
      return showFile(found.path, read.bytes, input);
    case 'missing':
      return refuse('not_found', `"${found.path}" is gone. Use fs.list to see what is there.`);
    case 'not-a-file':
      return read.what === 'directory'
        ? refuse('invalid_input', `"${found.path}" is a directory. Use fs.list.`)
        : refuse('path_refused', `"${found.path}" is a device, a pipe or a socket, and is not read.`);
    case 'too-large':
      return refuse(
        'too_large',
        `"${found.path}" has ${read.size} bytes; at most ${MAX_FILE_BYTES} are read. Use search.grep with this path to find what matters in it.`,
      );
    case 'refused':
      return refuse('path_refused', `"${found.path}" is refused: ${read.reason}.`);
    default:
      return assertNever(read);
  }
}

function showFile(path: string, bytes: Buffer, input: ToolInput<'fs.read'>): NativeAnswer {
  if (bytes.length === 0) return answer(`"${path}" is empty.`, `${path}: empty`);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') {
    return answer(`"${path}" is a binary file of ${bytes.length} bytes; its content is not shown.`, `${path}: binary`);
  }
  const lines = decoded.text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = input.offset ?? 1;
  if (first > lines.length) {
    return refuse('invalid_input', `"${path}" has ${lines.length} lines; offset ${first} is behind its end.`);
  }
  const shown = numberLines(lines, first, input.limit ?? DEFAULT_LINES);
  const last = first + shown.length - 1;
  const notes = [
    ...decoded.notes,
    ...(decoded.text.endsWith('\n') ? [] : ['no newline at the end']),
    ...(last < lines.length ? [`lines ${first} to ${last} of ${lines.length}; read on with offset ${last + 1}`] : []),
  ];
  const text = [...shown, ...(notes.length === 0 ? [] : [`(${notes.join('; ')})`])].join('\n');
  return answer(text, `${path}: ${shown.length} lines`);
}

function numberLines(lines: readonly string[], first: number, limit: number): string[] {
  const shown: string[] = [];
  let chars = 0;
  for (const [index, line] of lines.slice(first - 1, first - 1 + limit).entries()) {
    const numbered = `${String(first + index).padStart(6)}\t${shorten(line.replace(/\r$/, ''))}`;
    chars += numbered.length + 1;
    if (chars > MAX_ANSWER_CHARS && shown.length > 0) break;
    shown.push(numbered);
  }
  return shown;
}

function shorten(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  return `${line.slice(0, MAX_LINE_CHARS)}… (${line.length - MAX_LINE_CHARS} more characters in this line)`;
}
