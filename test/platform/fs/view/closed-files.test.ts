import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinRoot } from '../../../../src/platform/fs/descriptors.ts';
import { loadEntryRecords } from '../../../../src/platform/fs/entry-records.ts';
import { createClosedFiles } from '../../../../src/platform/fs/view/closed-files.ts';
import type { ClosedFilesBounds } from '../../../../src/platform/fs/view/closed-files.ts';
import { systemClock } from '../../../../src/platform/system/clock.ts';
import { fixture } from '../fixture.ts';

const RECORDS = await loadEntryRecords();

/** A clock an hour ahead: whatever has just changed has changed long ago. */
const LATER = { ...systemClock, nowMs: () => systemClock.nowMs() + 3_600_000 };

function scene(files: Readonly<Record<string, string>>, bounds?: ClosedFilesBounds, clock = LATER) {
  const fix = fixture(files);
  const project = pinRoot(fix.project);
  const marks = new Map<string, string>();
  const closed = createClosedFiles({
    records: RECORDS,
    attributes: { find: (path) => marks.get(path.toString().replace(/^.*?\/fd\/\d+\//, '')) ?? null },
    clock,
    ...(bounds === undefined ? {} : { bounds }),
  });
  let asked: string[] = [];
  const find = async (key = 'policy') => {
    asked = [];
    const allows = (path: string) => {
      asked.push(path);
      return !path.endsWith('.pem');
    };
    const outcome = await closed.find(project, { key, allows });
    return outcome.kind === 'found' ? outcome.paths : outcome.reason;
  };
  return { root: fix.project, find, asked: () => asked, marks };
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
    [{ maxDirectories: 3, maxPaths: 100 }, 'the project has more than 3 directories'],
    [{ maxDirectories: 100, maxPaths: 1 }, 'policy closes more than 1 files of the project'],
  ])('says so when there are too many: %o', async (bounds, reason) => {
    expect(await scene(FILES, bounds).find()).toBe(reason);
  });

  it('looks into directories whose names are not UTF-8', async () => {
    const { root, find } = scene({ 'a.js': '' });
    const directory = Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])]);
    mkdirSync(directory);
    writeFileSync(Buffer.concat([directory, Buffer.from('/k.pem')]), '');
    expect(await find()).toEqual(['d\ufffd/k.pem']);
  });

  it('refuses a project in which directories are nested deeper than it can look', async () => {
    const { root, find } = scene({ 'a.js': '' });
    const script = 'for i in $(seq 45); do mkdir "$0" && cd -P "./$0" || exit 1; done; : > k.pem';
    execFileSync('sh', ['-c', script, 'd'.repeat(100)], { cwd: root });
    expect(await find()).toMatch(/^directories below "d{100}.*" are nested too deeply$/);
  });

  it.each([
    ['src', 'setfattr -x user.overlay.opaque -- src'],
    ["src/it's b.js", String.raw`setfattr -x user.overlay.opaque -- 'src/it'\''s b.js'`],
    ['', 'setfattr -x user.overlay.opaque -- .'],
  ])('refuses a project in which %j has an attribute of overlays, and says how to remove it', async (path, command) => {
    const { find, marks } = scene({ ...FILES, "src/it's b.js": '' });
    marks.set(path === '' ? '.' : path, 'user.overlay.opaque');
    const why = await find();
    expect(why).toContain(`${JSON.stringify(path === '' ? '.' : path)} has the attribute user.overlay.opaque`);
    expect(why).toContain(`remove it with: ${command}`);
  });
});
