import { linkSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinRoot } from '../../../../src/platform/fs/descriptors.ts';
import { createClosedFiles } from '../../../../src/platform/fs/view/closed-files.ts';
import type { ClosedFilesBounds } from '../../../../src/platform/fs/view/closed-files.ts';
import { systemClock } from '../../../../src/platform/system/clock.ts';
import { fixture } from '../fixture.ts';

/** A clock an hour ahead: whatever has just changed has changed long ago. */
const LATER = { ...systemClock, nowMs: () => systemClock.nowMs() + 3_600_000 };

function scene(files: Readonly<Record<string, string>>, bounds?: ClosedFilesBounds, clock = LATER) {
  const fix = fixture(files);
  const project = pinRoot(fix.project);
  const closed = createClosedFiles(clock, bounds);
  let asked: string[] = [];
  const find = async (key = 'policy') => {
    asked = [];
    const allows = (path: string) => {
      asked.push(path);
      return !path.endsWith('.pem');
    };
    const outcome = await closed.find(project, { key, allows });
    return outcome.kind === 'found' ? outcome.paths : outcome.kind;
  };
  return { root: fix.project, find, asked: () => asked };
}

describe('looking for closed files', () => {
  const FILES = {
    'a.pem': '',
    'src/b.js': '',
    'vendor/x/c.pem': '',
    'vendor/x/d.js': '',
    '.git/e.pem': '',
    l: '-> a.pem',
  };

  it('finds regular files anywhere but inside of git', async () => {
    expect(await scene(FILES).find()).toEqual(['a.pem', 'vendor/x/c.pem']);
  });

  it('asks about nothing twice while no directory changes, and about all when the policy does', async () => {
    const { find, asked } = scene(FILES);
    await find();
    expect(asked().sort()).toEqual(['a.pem', 'src/b.js', 'vendor/x/c.pem', 'vendor/x/d.js']);
    expect(await find()).toEqual(['a.pem', 'vendor/x/c.pem']);
    expect(asked()).toEqual([]);
    await find('another policy');
    expect(asked()).toHaveLength(4);
  });

  it.each<[string, (root: string) => void, string[]]>([
    ['made', (root) => writeFileSync(join(root, 'src/n.pem'), ''), ['a.pem', 'src/n.pem', 'vendor/x/c.pem']],
    [
      'made and dated back',
      (root) => {
        writeFileSync(join(root, 'src/n.pem'), '');
        utimesSync(join(root, 'src'), 1, 1);
      },
      ['a.pem', 'src/n.pem', 'vendor/x/c.pem'],
    ],
    ['removed', (root) => rmSync(join(root, 'a.pem')), ['vendor/x/c.pem']],
    [
      'renamed',
      (root) => renameSync(join(root, 'vendor/x/d.js'), join(root, 'vendor/x/d.pem')),
      ['a.pem', 'vendor/x/c.pem', 'vendor/x/d.pem'],
    ],
    [
      'linked',
      (root) => linkSync(join(root, 'src/b.js'), join(root, 'src/b.pem')),
      ['a.pem', 'src/b.pem', 'vendor/x/c.pem'],
    ],
    [
      'moved with its directory',
      (root) => {
        mkdirSync(join(root, 'new'));
        renameSync(join(root, 'vendor'), join(root, 'new/vendor'));
      },
      ['a.pem', 'new/vendor/x/c.pem'],
    ],
  ])('sees that a file was %s', async (_, change, expected) => {
    const { root, find } = scene(FILES);
    await find();
    change(root);
    expect(await find()).toEqual(expected);
  });

  it('remembers nothing of a directory that changed a moment ago', async () => {
    const { find, asked } = scene(FILES, undefined, systemClock);
    await find();
    await find();
    expect(asked()).toHaveLength(4);
  });

  it.each([
    ['directories', { maxDirectories: 3, maxPaths: 100 }],
    ['closed files', { maxDirectories: 100, maxPaths: 1 }],
  ])('says so when there are too many %s', async (_, bounds) => {
    expect(await scene(FILES, bounds).find()).toBe('too-many');
  });
});
