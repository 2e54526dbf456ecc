import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { ToolFailure } from './tool-failure.ts';

const MAX_LINKS = 40;

/**
 * The path inside the workspace that `path` names, with every directory on the way a real one: links are followed by hand and
 * refused as soon as one leads out of the workspace. With `leaf: 'itself'` a link at the end stays unfollowed.
 * Throws ToolFailure `path_refused`.
 */
export async function workspacePath(workspace: string, path: string, leaf: 'followed' | 'itself'): Promise<string> {
  if (path.includes('\0')) throw refused(path, 'it contains a NUL byte');
  if (isAbsolute(path)) throw refused(path, 'it is absolute');
  let rest = normalize(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  let at = workspace;
  let links = 0;
  while (rest.length > 0) {
    const [part, ...after] = rest;
    if (part === undefined) break;
    const next = part === '..' ? dirname(at) : join(at, part);
    if (!isWithin(workspace, next)) throw refused(path, 'it leads out of the project');
    const found = await lstat(next).catch(() => null);
    const followed = found?.isSymbolicLink() === true && !(leaf === 'itself' && after.length === 0);
    if (!followed) {
      at = next;
      rest = after;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw refused(path, 'its links go round in circles');
    const target = resolve(dirname(next), await readlink(next));
    if (!isWithin(workspace, target)) throw refused(path, 'a link on its way leads out of the project');
    rest = [
      ...target
        .slice(workspace.length)
        .split('/')
        .filter((step) => step !== ''),
      ...after,
    ];
    at = workspace;
  }
  return at;
}

export function isWithin(workspace: string, path: string): boolean {
  return path === workspace || path.startsWith(`${workspace}/`);
}

function refused(path: string, why: string): ToolFailure {
  return new ToolFailure('path_refused', `${path} is refused: ${why}. Use a path inside the project.`);
}
