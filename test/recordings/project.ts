import type { Conversation, RecordedCall } from './conversation.ts';
import { jsonOf, recordOf, textOf } from './loose-json.ts';
import { relativeTo } from './paths.ts';

const MAX_LINE_NUMBER = 20_000;
/** `  12\ttext`, `12:text`, `12→text`, `  12|text`. */
const NUMBERED = /^ {0,8}(\d{1,6})(?:\t|:|→|\|)(.*)$/;
const FILE_HEADER = /^\[File: (\S+) \(\d+ lines total\)\]$/m;

/** The files of the project as far as the recording shows them: what was read before anything was written there, each line where it was. */
export function projectOf(conversation: Conversation, root: string): Readonly<Record<string, string>> {
  const files = new Map<string, (string | undefined)[]>();
  const written = new Set<string>();
  for (const call of conversation.turns.flatMap(({ calls }) => calls)) {
    const seen = seenBy(call, root);
    if (seen === null) continue;
    if (seen.kind === 'wrote') written.add(seen.path);
    else if (!written.has(seen.path)) addLines(files, seen.path, seen.lines);
  }
  return Object.fromEntries(
    [...files].map(([path, lines]) => [path, Array.from(lines, (line) => line ?? '').join('\n')] as const),
  );
}

type Seen =
  | { readonly kind: 'read'; readonly path: string; readonly lines: readonly (readonly [number, string])[] }
  | { readonly kind: 'wrote'; readonly path: string };

function seenBy({ tool, arguments: given, result }: RecordedCall, root: string): Seen | null {
  const fields = recordOf(jsonOf(given));
  if (result === null || result.failed) return null;
  const shown = FILE_HEADER.exec(result.text)?.[1];
  if (shown !== undefined) {
    const path = relativeTo(root, shown);
    const isEdit = /^(edit|create|insert)\b/.test(tool === 'command' ? textOf(fields['command']) : tool);
    return isEdit ? { kind: 'wrote', path } : { kind: 'read', path, lines: numbered(result.text) };
  }
  const name = textOf(fields['path'] ?? fields['file_path']);
  if (name === '') return null;
  const path = relativeTo(root, name);
  const verb = tool === 'str_replace_editor' ? textOf(fields['command']) : tool.toLowerCase();
  if (!/^(read|read_file|view)$/.test(verb)) return { kind: 'wrote', path };
  const lines = numbered(result.text);
  if (lines.length > 0) return { kind: 'read', path, lines };
  const offset = Number(fields['offset'] ?? 1) || 1;
  return { kind: 'read', path, lines: result.text.split('\n').map((line, index) => [offset + index, line] as const) };
}

/** Lines that carry their numbers, if most do. */
function numbered(text: string): readonly (readonly [number, string])[] {
  const lines = text.split('\n');
  const found = lines.flatMap((line) => {
    const [, number, rest = ''] = NUMBERED.exec(line) ?? [];
    return number === undefined ? [] : [[Number(number), rest] as const];
  });
  return found.length * 2 > lines.length ? found : [];
}

function addLines(
  files: Map<string, (string | undefined)[]>,
  path: string,
  lines: readonly (readonly [number, string])[],
) {
  const known = files.get(path) ?? [];
  for (const [number, line] of lines) if (number >= 1 && number <= MAX_LINE_NUMBER) known[number - 1] ??= line;
  files.set(path, known);
}
