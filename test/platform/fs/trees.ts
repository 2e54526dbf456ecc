import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import { seededRandom } from '../../seeded-random.ts';
import { path } from './fixture.ts';

/** A tree as data: what a path is, and what is in it. */
export type Tree = Record<string, string>;

export function readTree(root: string, directories: boolean): Tree {
  const tree: Tree = {};
  const visit = (directory: string): void => {
    for (const name of readdirSync(join(root, directory)).sort()) {
      const at = directory === '' ? name : `${directory}/${name}`;
      const stat = lstatSync(join(root, at));
      if (stat.isDirectory()) {
        if (directories) tree[at] = 'directory';
        visit(at);
      } else if (stat.isSymbolicLink()) tree[at] = `-> ${readlinkSync(join(root, at))}`;
      else tree[at] = `${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(root, at), 'utf8')}`;
    }
  };
  visit('');
  return tree;
}

export async function readView(workspace: Workspace, directories: boolean): Promise<Tree> {
  const tree: Tree = {};
  const visit = async (directory: string): Promise<void> => {
    for (const { name, kind } of (await workspace.list(path(directory))) ?? []) {
      const at = directory === '' ? name : `${directory}/${name}`;
      const state = await workspace.stat(path(at));
      expect(state.kind, at).toBe(kind);
      if (kind === 'directory') {
        if (directories) tree[at] = 'directory';
        await visit(at);
      } else if (state.kind === 'symlink') tree[at] = `-> ${state.target}`;
      else {
        const read = await workspace.read(path(at), 1000);
        if (read.kind === 'file') tree[at] = `${read.state.executable ? 'x' : '-'} ${read.bytes.toString('utf8')}`;
      }
    }
  };
  await visit('');
  return tree;
}

/** Small and full of collisions: a few names, three levels. */
export const NAMES = ['a', 'b', 'c', 'd'];

/** Whole numbers below a bound, the same for the same seed. */
export function generator(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

export function mutate(root: string, below: (n: number) => number, steps: number): void {
  const anyName = (): string => NAMES[below(NAMES.length)] ?? '';
  const anyPath = (): string => Array.from({ length: 1 + below(3) }, anyName).join('/');
  for (let step = 0; step < steps; step += 1) {
    const target = join(root, anyPath());
    try {
      switch (below(9)) {
        case 0:
        case 1:
          mkdirSync(dirname(target), { recursive: true });
          writeFileSync(target, `content ${below(3)}`);
          break;
        case 2:
          mkdirSync(target, { recursive: true });
          break;
        case 3:
          rmSync(target, { recursive: true });
          break;
        case 4:
          renameSync(target, join(root, anyPath()));
          break;
        case 5:
          symlinkSync('a', target);
          break;
        case 6:
          if (lstatSync(target).isFile()) chmodSync(target, below(2) === 0 ? 0o755 : 0o644);
          break;
        case 7:
          rmSync(target, { recursive: true });
          mkdirSync(join(target, anyName()), { recursive: true });
          writeFileSync(join(target, anyName(), anyName()), 'again');
          break;
        default:
          rmSync(target, { recursive: true });
          writeFileSync(target, 'was something else');
      }
    } catch (error) {
      // The path is not what this step needs: files in the way, nothing there, a directory across layers that can't be renamed.
      if (!/E(NOENT|NOTDIR|EXIST|ISDIR|NOTEMPTY|INVAL|XDEV|LOOP)|EINVAL/.test(String(error))) throw error;
    }
  }
}
