import { describe, expect, it } from 'vitest';
import type { ProjectPath } from '../../../../src/contracts/ids.ts';
import { fixture } from '../fixture.ts';

const FILES = {
  '.gitignore': 'dist/\n*.log\n/node_modules\n',
  'src/a.js': 'a',
  'src/a.log': 'a',
  'dist/a.js': 'a',
  'dist/deep/b.js': 'b',
  'node_modules/x/index.js': 'x',
  '.git/config': '',
};

describe('what git ignores', () => {
  it('is named by its topmost directories', async () => {
    const workspace = await fixture(FILES).open();
    expect(await workspace.ignored(new Set())).toEqual({ kind: 'found', paths: ['dist', 'node_modules', 'src/a.log'] });
  });

  it('leaves out what is kept, and looks into the directories above it', async () => {
    const workspace = await fixture(FILES).open();
    const found = await workspace.ignored(new Set(['dist/deep/b.js', 'src/a.log']));
    expect(found).toEqual({ kind: 'found', paths: ['dist/a.js', 'node_modules'] });
  });

  it('is read with what is staged', async () => {
    const workspace = await fixture(FILES).open();
    const path = '.gitignore' as ProjectPath;
    await workspace.stage(path, await workspace.stat(path), Buffer.from('src/\n'), false);
    expect(await workspace.ignored(new Set())).toEqual({ kind: 'found', paths: ['src'] });
  });
});
