import { z } from 'zod';
import { assertNever } from '../../lib/assert-never.ts';
import { PATH_NAMES } from './shared/adapt-input.ts';
import type { Fields } from './shared/adapt-input.ts';
import { decodeText } from './shared/decode-text.ts';
import { existingPath } from './shared/existing-path.ts';
import { pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';
import { onlyPath } from './tool-context.ts';
import type { ReadScope } from './tool-context.ts';
import { plural } from '../../lib/text/plural.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const DEFAULT_LINES = 2000;
const MAX_LINE_CHARS = 2000;
/**
 * A longer answer would be cut in its middle, where a reader does not expect it. This cuts at a line and says how to
 * continue.
 */
const MAX_ANSWER_CHARS = 15_500;

const input = z.strictObject({
  path: pathField,
  offset: z.number().int().min(1).optional().describe('First line, counting from 1.'),
  limit: z.number().int().min(1).max(20_000).optional().describe('Number of lines.'),
});

type Lines = Omit<z.infer<typeof input>, 'path'>;

export const fsRead = defineTool({
  name: 'fs.read',
  synonyms: ['read', 'read_file', 'read_files', 'view', 'cat', 'open', 'open_file'],
  description:
    'Read a text file, with a line number and a tab in front of each line. Changes of this session are included.',
  input,
  foreign: {
    names: {
      path: PATH_NAMES,
      offset: ['start_line', 'line_start', 'from_line', 'line_number', 'start_line_one_indexed'],
      limit: ['line_count', 'num_lines', 'max_lines'],
    },
    convert: (fields) => fromLineOne(withRange(fields)),
  },
  place: 'kernel',
  effect: 'read',
  plugin: FS_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 4_000, keep: 'head' },
  paths: ({ path }) => [path],
  describe: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
  perform: (lines, context) => context.read((scope) => readLines(scope, onlyPath(context), lines)),
});

/** Converts first and last line, as a pair or as two fields, into a first line and a number of lines. */
function withRange(fields: Fields): Fields {
  const { view_range: pair, start_line: start, end_line: end, ...rest } = fields;
  if (!Array.isArray(pair) && end === undefined) return fields;
  const [from, to] = Array.isArray(pair) ? (pair as unknown[]) : [start ?? rest['offset'] ?? 1, end];
  if (!isLine(from) || !(isLine(to) || to === -1)) return fields;
  const limit = Number(to) - Number(from) + 1;
  return { ...rest, offset: from, ...(limit > 0 ? { limit } : {}) };
}

function isLine(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** Other agents count lines from 0, or use 0 for the beginning. */
function fromLineOne(fields: Fields): Fields {
  return fields['offset'] === 0 ? { ...fields, offset: 1 } : fields;
}

/** Lines with their numbers, from `offset` on. */
async function readLines(scope: ReadScope, path: string, lines: Lines): Promise<ToolAnswer> {
  const found = await existingPath(scope, path);
  if (found.kind === 'refused') return found.answer;
  const read = await scope.workspace.read(found.path, MAX_FILE_BYTES);
  switch (read.kind) {
    case 'file':
      return showFile(found.path, read.bytes, lines);
    case 'missing':
      return failure('not_found', `"${found.path}" no longer exists. Use fs.list to see which files exist.`);
    case 'not-a-file':
      return read.what === 'directory'
        ? failure('invalid_input', `"${found.path}" is a directory. Use fs.list.`)
        : failure('path_refused', `"${found.path}" is a device, a pipe or a socket, and is not read.`);
    case 'too-large':
      return failure(
        'too_large',
        `"${found.path}" has ${read.size} bytes; at most ${MAX_FILE_BYTES} are read. Use search.grep with this path to find what matters in it.`,
      );
    case 'refused':
      return failure('path_refused', `"${found.path}" is refused: ${read.reason}.`);
    default:
      return assertNever(read);
  }
}

function showFile(path: string, bytes: Buffer, wanted: Lines): ToolAnswer {
  if (bytes.length === 0) return answer(`"${path}" is empty.`, `${path}: empty`);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') {
    return answer(`"${path}" is a binary file of ${bytes.length} bytes; its content is not shown.`, `${path}: binary`);
  }
  const lines = decoded.text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = wanted.offset ?? 1;
  if (first > lines.length) {
    return failure(
      'invalid_input',
      `"${path}" has ${plural(lines.length, 'line')}; offset ${first} is behind its end.`,
    );
  }
  const shown = numberLines(lines, first, wanted.limit ?? DEFAULT_LINES);
  const last = first + shown.length - 1;
  const notes = [
    ...decoded.notes,
    ...(decoded.text.endsWith('\n') ? [] : ['no newline at the end']),
    ...(last < lines.length ? [`lines ${first} to ${last} of ${lines.length}; read on with offset ${last + 1}`] : []),
  ];
  const text = [...shown, ...(notes.length === 0 ? [] : [`(${notes.join('; ')})`])].join('\n');
  return answer(text, `${path}: ${plural(shown.length, 'line')}`);
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
