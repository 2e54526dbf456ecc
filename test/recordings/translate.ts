import type { RecordedCall } from './conversation.ts';
import { jsonOf, listOf, recordOf, textOf } from './loose-json.ts';
import type { Loose } from './loose-json.ts';
import { relativeTo } from './paths.ts';
import { translateCommand } from './translate-command.ts';

/** A call in our words. */
export interface OurCall {
  readonly tool: string;
  readonly input: unknown;
}

/** What a translation needs of the session at hand: where the project lies, what a file holds now, which one an agent with a window has open. */
export interface Scene {
  readonly root: string;
  readonly read: (path: string) => string | null;
  open: { path: string; line: number } | null;
}

/** The calls of ours that do what was meant; null: we have no such thing. */
export function translate(call: RecordedCall, scene: Scene): readonly OurCall[] | null {
  const given = recordOf(jsonOf(call.arguments));
  const name = call.tool.toLowerCase();
  const path = relativeTo(scene.root, textOf(given['path'] ?? given['file_path'] ?? given['filename']));
  switch (name) {
    case 'command':
      return translateCommand(textOf(given['command']), scene);
    case 'bash':
    case 'execute_bash':
    case 'run_shell_command':
      return [{ tool: 'shell.run', input: { script: textOf(given['command']) } }];
    case 'run_commands':
      return listOf(given['commands']).map((script) => ({ tool: 'shell.run', input: { script } }));
    case 'read':
    case 'read_file':
    case 'view':
      return [{ tool: 'fs.read', input: { path, ...numbers(given, ['offset', 'limit']) } }];
    case 'read_files':
      return (Array.isArray(given['files']) ? given['files'] : [given])
        .map(recordOf)
        .map((file) => ({ tool: 'fs.read', input: { path: relativeTo(scene.root, textOf(file['path'])) } }));
    case 'write':
    case 'write_file':
      return [{ tool: 'fs.write', input: { path, content: textOf(given['content']) } }];
    case 'edit':
    case 'editor':
    case 'multiedit':
      return given['search'] === undefined && given['start_line'] === undefined
        ? [{ tool: 'fs.edit', input: { path, ...editsOf(given) } }]
        : editOfOpenFile(given, scene);
    case 'str_replace_editor':
      return editorCommand(given, path);
    case 'ls':
    case 'list_directory':
    case 'list_dir':
      return [{ tool: 'fs.list', input: { path } }];
    case 'glob':
      return [{ tool: 'search.glob', input: { pattern: textOf(given['pattern']) } }];
    case 'grep':
    case 'grep_search':
      return [{ tool: 'search.grep', input: { pattern: textOf(given['pattern']) } }];
    case 'open':
      return translateCommand(`open "${path}" ${String(given['line_number'] ?? '')}`, scene);
    case 'create':
      return [{ tool: 'fs.write', input: { path, content: '\n' } }];
    case 'find_file':
      return [{ tool: 'search.glob', input: { pattern: `**/${textOf(given['file_name'])}` } }];
    case 'submit':
    case 'finish':
    case 'complete_task':
      return [{ tool: 'git.commit', input: { message: 'Do what was asked' } }];
    case 'todowrite':
      return [{ tool: 'todo.update', input: { items: listOf(given['todos']).map(todoOf) } }];
    default:
      return null;
  }
}

function editsOf(given: Loose): Loose {
  const { edits } = given;
  if (Array.isArray(edits)) return { edits: edits.map(recordOf).map(replacementOf) };
  return replacementOf(given);
}

function replacementOf(given: Loose): Loose {
  const old = given['old_string'] ?? given['oldText'] ?? given['old_text'] ?? given['old_str'] ?? given['search'];
  const replacement =
    given['new_string'] ?? given['newText'] ?? given['new_text'] ?? given['new_str'] ?? given['replace'];
  return { old_string: textOf(old), new_string: textOf(replacement) };
}

/** SWE-agent's edits by text or by lines are of the file that is open. */
function editOfOpenFile(given: Loose, scene: Scene): readonly OurCall[] {
  if (scene.open === null) return [];
  const { path } = scene.open;
  if (given['start_line'] === undefined) return [{ tool: 'fs.edit', input: { path, ...replacementOf(given) } }];
  const lines = `${String(given['start_line'])}:${String(given['end_line'])}`;
  return translateCommand(`edit ${lines}\n${textOf(given['replacement_text'])}\nend_of_edit`, scene);
}

function editorCommand(given: Loose, path: string): readonly OurCall[] | null {
  switch (given['command']) {
    case 'view': {
      const [from, to] = listOf(given['view_range']).map(Number);
      const range = from === undefined || to === undefined ? {} : { offset: from, limit: to - from + 1 };
      return [{ tool: 'fs.read', input: { path, ...range } }];
    }
    case 'create':
      return [{ tool: 'fs.write', input: { path, content: textOf(given['file_text']) } }];
    case 'str_replace':
      return [{ tool: 'fs.edit', input: { path, ...replacementOf(given) } }];
    default:
      return null;
  }
}

function numbers(given: Loose, fields: readonly string[]): Loose {
  return Object.fromEntries(fields.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]]])));
}

const STEP_STATES: Readonly<Record<string, string>> = { pending: 'open', in_progress: 'doing', completed: 'done' };

function todoOf(value: unknown): Loose {
  const { content, status } = recordOf(value);
  return { text: textOf(content), state: STEP_STATES[textOf(status)] ?? 'open' };
}
