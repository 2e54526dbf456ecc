import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pinnedPaths } from '../../src/host/pinned-paths.ts';

function emptyBase(): string {
  const base = mkdtempSync(join(tmpdir(), 'fluffy-pinned-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

test('what names code that git runs on the host cannot be written in L1, where it is there and is no link', () => {
  const base = emptyBase();
  for (const name of ['.git/hooks', '.git/modules']) mkdirSync(join(base, name), { recursive: true });
  writeFileSync(join(base, '.git/config'), '');
  symlinkSync('/etc', join(base, '.git/worktrees'));
  const at = (name: string, readOnly: boolean) => ({ path: join(base, name), readOnly });
  expect(pinnedPaths(base, null)).toEqual([
    at('.git', false),
    at('.git/config', true),
    at('.git/hooks', true),
    at('.git/modules', true),
  ]);
});

test('of a linked worktree, L1 has its own git directory and what all share, and neither its .git file nor those of other worktrees', () => {
  const base = emptyBase();
  const commonDir = join(base, 'main/.git');
  const gitDir = join(commonDir, 'worktrees/side');
  for (const path of [gitDir, join(commonDir, 'hooks'), join(base, 'side')]) mkdirSync(path, { recursive: true });
  for (const path of [
    join(base, 'side/.git'),
    join(commonDir, 'config'),
    join(gitDir, 'commondir'),
    join(gitDir, 'gitdir'),
  ])
    writeFileSync(path, '');
  const at = (name: string, readOnly: boolean) => ({ path: join(base, name), readOnly });
  expect(pinnedPaths(join(base, 'side'), { gitDir, commonDir })).toEqual([
    at('side/.git', true),
    at('main/.git', false),
    at('main/.git/config', true),
    at('main/.git/hooks', true),
    at('main/.git/worktrees', true),
    at('main/.git/worktrees/side', false),
    at('main/.git/worktrees/side/commondir', true),
    at('main/.git/worktrees/side/gitdir', true),
  ]);
});
