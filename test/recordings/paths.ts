import type { Conversation } from './conversation.ts';
import { jsonOf, recordOf } from './loose-json.ts';

const PATH_FIELDS = ['path', 'file_path', 'filename', 'filePath', 'file', 'dir', 'cwd'];

/** Share of the absolute paths that lie in what counts as the project. */
const SHARE_INSIDE = 0.7;

/** The deepest directory in which most absolute paths of its calls lie, without a slash at the end; '' if there is none. */
export function projectRootOf({ turns }: Conversation): string {
  const calls = turns.flatMap((turn) => turn.calls);
  const paths = calls.flatMap(({ arguments: given, result }) => [...pathsIn(given), ...shownIn(result?.text ?? '')]);
  const absolute = paths.filter((path) => path.startsWith('/'));
  const lasting = absolute.filter((path) => !path.startsWith('/tmp/'));
  const directories = (lasting.length > 0 ? lasting : absolute).map((path) => path.slice(0, path.lastIndexOf('/')));
  const counts = new Map<string, number>();
  for (const directory of directories) {
    for (let at = directory.length; at > 0; at = directory.lastIndexOf('/', at - 1)) {
      const beginning = directory.slice(0, at);
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
    }
  }
  const enough = [...counts].filter(([, count]) => count >= directories.length * SHARE_INSIDE);
  return enough.map(([path]) => path).reduce((deepest, path) => (path.length > deepest.length ? path : deepest), '');
}

function pathsIn(given: string): readonly string[] {
  const fields = recordOf(jsonOf(given));
  return PATH_FIELDS.map((field) => fields[field]).filter((value) => typeof value === 'string');
}

/** The file that SWE-agent's window shows. */
function shownIn(text: string): readonly string[] {
  return [...text.matchAll(/^\[File: (\/\S+) \(\d+ lines total\)\]$/gm)].map(([, path = '']) => path);
}

export function relativeTo(root: string, path: string): string {
  const inside = root !== '' && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) : path;
  return inside.replace(/^\/+/, '') || '.';
}
