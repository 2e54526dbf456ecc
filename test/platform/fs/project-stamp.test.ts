import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom, rounds } from '../../seeded-random.ts';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { pinRoot } from '../../../src/platform/fs/descriptors.ts';
import type { EntryRecords } from '../../../src/platform/fs/entry-records.ts';
import { loadEntryRecords } from '../../../src/platform/fs/entry-records.ts';
import type { StamperOptions } from '../../../src/platform/fs/project-stamp.ts';
import { createStamper } from '../../../src/platform/fs/project-stamp.ts';
import type { OpenTreeWatch } from '../../../src/platform/fs/tree-watch.ts';
import { loadTreeWatch } from '../../../src/platform/fs/tree-watch.ts';
import { fixture } from './fixture.ts';

const RECORDS = await loadEntryRecords();
const OPEN_WATCH = await loadTreeWatch();
const LATER = { nowMs: () => Date.now() + 3_600_000, monotonicMs: () => 0 };
const FILES = {
  'a.js': 'a',
  'src/b.js': 'b',
  'src/deep/er/c.js': 'c',
  'logs/x.log': '',
  'node_modules/m/i.js': '',
  '.gitignore': '*.log\n',
  'src/.gitignore': '*.tmp\n',
  'src/y.tmp': '',
  l: '-> a.js',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/refs/heads/main': '1',
  '.git/index': 'i',
  '.git/info/exclude': 'private\n',
  private: '',
};

const NO_WATCH: OpenTreeWatch = () => null;

function scene({ clock = LATER, openWatch = NO_WATCH }: Partial<Pick<StamperOptions, 'clock' | 'openWatch'>> = {}) {
  const { project: root } = fixture(FILES);
  const project = pinRoot(root);
  let rulesRead = 0;
  const text = (path: string): string | null => {
    rulesRead += 1;
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return null;
    }
  };
  const sources = {
    ignoreFile: (directory: string) => text(join(directory, '.gitignore')),
    exclude: () => text('.git/info/exclude'),
  };
  let looks = 0;
  const records: EntryRecords = {
    read: (...args) => {
      looks += 1;
      return RECORDS.read(...args);
    },
  };
  const stamper = () => {
    const stamp = createStamper({ records, clock, openWatch });
    return () => stamp({ project, sources, git: ordinaryGitDirectories(root) });
  };
  return { root, stamper, stamp: stamper(), rulesRead: () => rulesRead, looks: () => looks };
}

/** Times of a file system tick in steps: until the next one, a change may leave no trace. */
function untilTimesMove(root: string): void {
  const probe = join(root, '..', 'probe');
  const write = (): bigint => {
    writeFileSync(probe, '');
    return statSync(probe, { bigint: true }).ctimeNs;
  };
  const first = write();
  while (write() === first);
}

describe.each([
  ['without a watch', NO_WATCH],
  ['with a watch', OPEN_WATCH],
])('the stamp of a project, %s,', (_kind, openWatch) => {
  it.each<[string, (root: string) => void]>([
    ['content of the same size', (root) => writeFileSync(join(root, 'a.js'), 'z')],
    [
      'content, dated back',
      (root) => {
        const { atime, mtime } = statSync(join(root, 'src/b.js'));
        writeFileSync(join(root, 'src/b.js'), 'z');
        utimesSync(join(root, 'src/b.js'), atime, mtime);
      },
    ],
    ['mode', (root) => chmodSync(join(root, 'src/deep/er/c.js'), 0o755)],
    ['a new file', (root) => writeFileSync(join(root, 'src/deep/n.js'), '')],
    ['an empty directory', (root) => mkdirSync(join(root, 'src/empty'))],
    ['a second name', (root) => linkSync(join(root, 'a.js'), join(root, 'src/a2.js'))],
    ['a name', (root) => renameSync(join(root, 'src/b.js'), join(root, 'src/c.js'))],
    ['a name of a directory', (root) => renameSync(join(root, 'src/deep'), join(root, 'src/deeper'))],
    ['a removed file', (root) => rmSync(join(root, 'a.js'))],
    [
      'the target of a link',
      (root) => {
        rmSync(join(root, 'l'));
        symlinkSync('src/b.js', join(root, 'l'));
      },
    ],
    ['what git ignores', (root) => writeFileSync(join(root, 'src/.gitignore'), '')],
    ['what git ignores for this repository', (root) => writeFileSync(join(root, '.git/info/exclude'), '')],
    ['HEAD', (root) => writeFileSync(join(root, '.git/HEAD'), '1234567\n')],
    ['the branch', (root) => writeFileSync(join(root, '.git/refs/heads/main'), '2')],
    ['the index', (root) => appendFileSync(join(root, '.git/index'), 'i')],
  ])('is another one after a change of %s', async (_, change) => {
    const { root, stamper, stamp } = scene({ openWatch });
    const before = await stamp();
    expect(await stamp()).toBe(before);
    untilTimesMove(root);
    change(root);
    const after = await stamp();
    expect(after).not.toBe(before);
    expect(await stamper()()).toBe(after);
  });

  it('sees changes of a file whose name is not UTF-8', async () => {
    const { root, stamp } = scene();
    const name = Buffer.concat([Buffer.from(`${root}/src/`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(name, 'a');
    const before = await stamp();
    untilTimesMove(root);
    writeFileSync(name, 'b');
    expect(await stamp()).not.toBe(before);
  });

  it.each<[string, (root: string) => void]>([
    ['ignored files', (root) => writeFileSync(join(root, 'src/deep/z.tmp'), '')],
    ['installed packages', (root) => writeFileSync(join(root, 'node_modules/m/new.js'), '')],
    ["git's objects", (root) => writeFileSync(join(root, '.git/objects'), '')],
  ])('is the same after a change of %s', async (_, change) => {
    const { root, stamp } = scene({ openWatch });
    const before = await stamp();
    untilTimesMove(root);
    change(root);
    expect(await stamp()).toBe(before);
  });

  it('is that of a walk which remembers nothing, whatever was done before', { timeout: 120_000 }, async () => {
    const { root, stamper, stamp } = scene({ openWatch });
    const next = seededRandom(20261123);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
    const directories = ['', 'src', 'src/deep', 'src/deep/er', 'logs', 'n', 'n/m'];
    const names = ['a.js', 'b.js', 'x.log', 'y.tmp', '.gitignore'];
    const done: string[] = [];
    for (let round = 0; round < rounds(40, 400); round += 1) {
      untilTimesMove(root);
      const at = join(root, pick(directories));
      const path = join(at, pick(names));
      const action = pick(['write', 'remove', 'rules', 'move'] as const);
      done.push(`${action} ${path}`);
      if (action === 'remove') rmSync(path, { force: true });
      else if (action === 'move' && round % 4 === 0) moved(join(root, 'src'), join(root, 'n'));
      else {
        mkdirSync(at, { recursive: true });
        writeFileSync(action === 'rules' ? join(at, '.gitignore') : path, pick(['*.js\n', '*.tmp\n', 'deep\n', '']));
      }
      expect(await stamp(), done.join('\n')).toBe(await stamper()());
    }
  });
});

describe('a walk', () => {
  it('reads rules again only where something changed', async () => {
    const { root, stamp, rulesRead } = scene();
    await stamp();
    const once = rulesRead();
    expect(once).toBeGreaterThan(0);
    await stamp();
    expect(rulesRead()).toBe(once);
    untilTimesMove(root);
    writeFileSync(join(root, 'src/n.js'), '');
    await stamp();
    expect(rulesRead()).toBeGreaterThan(once);
  });

  it('remembers nothing that changed a moment ago', async () => {
    const { root, stamp, rulesRead } = scene({ clock: { ...LATER, nowMs: () => Date.now() } });
    rmSync(join(root, '.git/info/exclude'));
    await stamp();
    const once = rulesRead();
    await stamp();
    expect(rulesRead()).toBe(2 * once);
  });
});

describe('a project that is watched', () => {
  const GIT_FILES = 6;
  /** How many entries are looked at for the next stamp. */
  async function looksOf({ stamp, looks }: ReturnType<typeof scene>): Promise<number> {
    const before = looks();
    await stamp();
    return looks() - before;
  }

  it('is not walked again while nothing changes, and once after a change', async () => {
    const watched = scene({ openWatch: OPEN_WATCH });
    expect(await looksOf(watched)).toBeGreaterThan(2 * GIT_FILES);
    expect(await looksOf(watched)).toBe(GIT_FILES);
    writeFileSync(join(watched.root, 'src/deep/n.js'), '');
    expect(await looksOf(watched)).toBeGreaterThan(2 * GIT_FILES);
    expect(await looksOf(watched)).toBe(GIT_FILES);
  });

  it('is walked each time if a file has a name elsewhere, by which it can be changed unseen', async () => {
    const watched = scene({ openWatch: OPEN_WATCH });
    const elsewhere = join(watched.root, '..', 'elsewhere');
    linkSync(join(watched.root, 'a.js'), elsewhere);
    const before = await watched.stamp();
    untilTimesMove(watched.root);
    writeFileSync(elsewhere, 'z');
    expect(await watched.stamp()).not.toBe(before);
  });

  it('is walked after half a minute: a mapping into memory reports nothing', async () => {
    const clock = { now: 0, ...LATER, monotonicMs: () => clock.now };
    const watched = scene({ clock, openWatch: OPEN_WATCH });
    await watched.stamp();
    clock.now = 30_000;
    expect(await looksOf(watched)).toBe(GIT_FILES);
    clock.now = 30_001;
    expect(await looksOf(watched)).toBeGreaterThan(2 * GIT_FILES);
  });

  it('is walked each time where a directory cannot be watched, and no descriptor is left open', async () => {
    const clock = { now: 0, ...LATER, monotonicMs: () => clock.now };
    let closed = 0;
    const openWatch: OpenTreeWatch = () => ({ add: () => false, isQuiet: () => true, close: () => (closed += 1) });
    const watched = scene({ clock, openWatch });
    for (const now of [0, 30_000]) {
      clock.now = now;
      expect(await looksOf(watched)).toBeGreaterThan(2 * GIT_FILES);
    }
    expect(closed).toBe(2);
    clock.now += 29_999;
    expect(await looksOf(watched)).toBeGreaterThan(2 * GIT_FILES);
    expect(closed).toBe(2);
  });
});

function moved(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // There is no such directory, or another one with something in it.
  }
}
