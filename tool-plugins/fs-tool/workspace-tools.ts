import { cp, lstat, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fsDeleteInputSchema, fsMoveInputSchema, fsPatchInputSchema } from '../../src/contracts/model/tool-call.ts';
import type { FsChangeResult, FsPatchInput } from '../../src/contracts/model/tool-call.ts';
import { assertNever } from '../../src/lib/assert-never.ts';
import { ToolFailure, defineTool, isWithin, workspacePath } from '../sdk/index.ts';

/** A link is deleted or moved itself, never what it points at. */
export const deleteTool = defineTool(
  {
    name: 'fs.delete',
    description: 'Deletes a file, a link, or a directory with everything in it.',
    input: fsDeleteInputSchema,
    outputMode: 'full',
  },
  (input, context) => deletePath(context.workspace, input.path),
);

export const moveTool = defineTool(
  {
    name: 'fs.move',
    description: 'Moves or renames a file, a link or a directory. Never replaces anything.',
    input: fsMoveInputSchema,
    outputMode: 'full',
  },
  (input, context) => movePath(context.workspace, input.from, input.to),
);

export const patchTool = defineTool(
  {
    name: 'fs.patch',
    description: 'Writes, moves and deletes files as one change.',
    input: fsPatchInputSchema,
    outputMode: 'full',
  },
  (input, context) => patchPaths(context.workspace, input),
);

export async function patchPaths(workspace: string, { files }: FsPatchInput): Promise<FsChangeResult> {
  for (const file of files) {
    switch (file.kind) {
      case 'write':
        await writePath(workspace, file.path, file.content);
        break;
      case 'move':
        await movePath(workspace, file.from, file.to);
        await writePath(workspace, file.to, file.content);
        break;
      case 'delete':
        await deletePath(workspace, file.path);
        break;
      default:
        assertNever(file);
    }
  }
  return { entries: files.length };
}

async function writePath(workspace: string, path: string, content: string): Promise<void> {
  const target = await workspacePath(workspace, path, 'followed');
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

export async function deletePath(workspace: string, path: string): Promise<FsChangeResult> {
  const target = await workspacePath(workspace, path, 'itself');
  const found = await statExisting(workspace, path, target);
  const entries = await countEntries(target, found);
  await rm(target, { recursive: found.isDirectory() });
  return { entries };
}

export async function movePath(workspace: string, from: string, to: string): Promise<FsChangeResult> {
  const source = await workspacePath(workspace, from, 'itself');
  const target = await workspacePath(workspace, to, 'itself');
  const found = await statExisting(workspace, from, source);
  if (await exists(target)) {
    throw new ToolFailure('conflict', `${to} exists already. Delete it first, or choose another name.`);
  }
  if (isWithin(source, target)) {
    throw new ToolFailure('invalid_input', `${to} is inside ${from}: a directory cannot be moved into itself.`);
  }
  const entries = await countEntries(source, found);
  await checkLinksAfterMove(workspace, source, target, source, found);
  await mkdir(dirname(target), { recursive: true });
  await moveEntry(source, target, found);
  return { entries };
}

/** An overlay answers EXDEV to the rename of a directory that has a lower layer: it is rebuilt entry by entry. */
async function moveEntry(source: string, target: string, found: Stats): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    if (found.isDirectory()) {
      await cp(source, target, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
    } else if (found.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else {
      await cp(source, target, { errorOnExist: true, force: false });
    }
    await rm(source, { recursive: found.isDirectory() });
  }
}

/** A relative link means something else at another place: no link may come to lead out of the workspace by being moved. */
async function checkLinksAfterMove(
  workspace: string,
  source: string,
  target: string,
  at: string,
  found: Stats,
): Promise<void> {
  if (found.isDirectory()) {
    for (const name of await readdir(at)) {
      const path = join(at, name);
      await checkLinksAfterMove(workspace, source, target, path, await lstat(path));
    }
    return;
  }
  if (!found.isSymbolicLink()) return;
  const moved = target + at.slice(source.length);
  if (!isWithin(workspace, resolve(dirname(moved), await readlink(at)))) {
    const shown = at.slice(workspace.length + 1);
    throw new ToolFailure('path_refused', `${shown} is a link that would lead out of the project after the move.`);
  }
}

async function statExisting(workspace: string, path: string, target: string): Promise<Stats> {
  if (target === workspace) throw new ToolFailure('path_refused', 'The project itself cannot be deleted or moved.');
  const found = await lstat(target).catch(() => null);
  if (found === null) throw new ToolFailure('not_found', `${path} does not exist. Use fs.list to see what does.`);
  return found;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function countEntries(path: string, found: Stats): Promise<number> {
  if (!found.isDirectory()) return 1;
  const inside = await readdir(path, { recursive: true, withFileTypes: true });
  return inside.filter((entry) => !entry.isDirectory()).length;
}
