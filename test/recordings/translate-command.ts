import { wordsOf } from './shell-command.ts';
import { relativeTo } from './paths.ts';
import type { OurCall, Scene } from './translate.ts';

/** Lines that SWE-agent's window shows. */
const WINDOW_LINES = 100;

/** A command of SWE-agent's own shell; what is none of its commands is one for a shell. */
export function translateCommand(command: string, scene: Scene): readonly OurCall[] {
  const [line = '', ...rest] = command.trim().split('\n');
  const [name = '', first = '', second = ''] = wordsOf(line);
  const { open } = scene;
  switch (name) {
    case 'open':
      scene.open = { path: relativeTo(scene.root, first), line: Number(second) || 1 };
      return window(scene.open);
    case 'goto':
    case 'scroll_down':
    case 'scroll_up':
      if (open === null) return [];
      open.line = name === 'goto' ? Number(first) || 1 : Math.max(1, open.line + (name === 'scroll_up' ? -100 : 100));
      return window(open);
    case 'create':
      scene.open = { path: relativeTo(scene.root, first), line: 1 };
      return [{ tool: 'fs.write', input: { path: scene.open.path, content: '\n' } }];
    case 'edit':
      return open === null ? [] : editOfLines(first, rest, open.path, scene);
    case 'find_file':
      return [{ tool: 'search.glob', input: { pattern: `**/${first}` } }];
    case 'search_dir':
    case 'search_file': {
      const path = name === 'search_file' ? (second === '' ? open?.path : relativeTo(scene.root, second)) : undefined;
      return [{ tool: 'search.grep', input: { pattern: literal(first), ...(path === undefined ? {} : { path }) } }];
    }
    case 'submit':
      return [{ tool: 'git.commit', input: { message: 'Do what was asked' } }];
    default:
      return [{ tool: 'shell.run', input: { script: command.trim() } }];
  }
}

function window({ path, line }: { readonly path: string; readonly line: number }): readonly OurCall[] {
  const offset = Math.max(1, line - WINDOW_LINES / 2);
  return [{ tool: 'fs.read', input: { path, offset, limit: WINDOW_LINES } }];
}

/** Lines by number become the text that stands there now, with lines around it until there is no other such place. */
function editOfLines(range: string, rest: readonly string[], path: string, scene: Scene): readonly OurCall[] {
  const end = rest.lastIndexOf('end_of_edit');
  const after = end === -1 ? rest : rest.slice(0, end);
  const text = scene.read(path);
  if (text === null || text.trim() === '')
    return [{ tool: 'fs.write', input: { path, content: `${after.join('\n')}\n` } }];
  const lines = text.split('\n');
  const [from = 1, to = from] = range.split(':').map(Number);
  let [start, stop] = [Math.max(0, Math.min(from - 1, lines.length - 1)), Math.min(to, lines.length)];
  const [head, tail] = [start, stop];
  while (text.split(lines.slice(start, stop).join('\n')).length !== 2 && (start > 0 || stop < lines.length)) {
    start = Math.max(0, start - 1);
    stop = Math.min(lines.length, stop + 1);
  }
  const replacement = [...lines.slice(start, head), ...after, ...lines.slice(tail, stop)];
  const input = { path, old_string: lines.slice(start, stop).join('\n'), new_string: replacement.join('\n') };
  return [{ tool: 'fs.edit', input }];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
