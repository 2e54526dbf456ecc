import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileState } from '../../../src/contracts/review/change-set.ts';
import type { ObjectId, Sha256 } from '../../../src/contracts/ids.ts';
import type { ViewEntry } from '../../../src/contracts/ports/workspace.ts';
import { treeView, viewDigest } from '../../../src/kernel/repository/tree-view.ts';
import type { TreeView } from '../../../src/kernel/repository/tree-view.ts';
import { unwatchedPaths } from '../../../src/kernel/repository/unwatched-paths.ts';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { parseStatus } from '../../../tool-plugins/git-tool/status-tool.ts';
import { changesFor } from '../../support/merge-fixture.ts';
import { copyRepository, makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

type Edit = (project: RealRepository) => void;

const SESSION_TEXT = 'of the session\n';
let original: RealRepository;

beforeAll(() => {
  original = makeRepository();
  original.write('.gitignore', 'cache/\n');
  original.write('src/a.js', 'one\n');
  original.write('src/b.js', 'two\n');
  original.write('lib/deep/c.js', 'three\n');
  original.write('run.sh', '#!/bin/sh\n');
  chmodSync(join(original.root, 'run.sh'), 0o755);
  symlinkSync('src/a.js', join(original.root, 'link'));
  original.commit('First');
});
afterAll(() => original.remove());

/** With the user's `edit` done: the views, and the project in which they can be tried. The session changes src/a.js. */
async function viewAfter<T>(
  edit: Edit,
  use: (project: RealRepository, view: TreeView, read: readonly string[]) => T | Promise<T>,
): Promise<T> {
  const project = copyRepository(original);
  const reader = openRepository(ordinaryGitDirectories(project.root));
  try {
    edit(project);
    const changes = changesFor(project.root, { 'src/a.js': { text: SESSION_TEXT } });
    const status = project.git('status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames');
    const dirty = parseStatus(status).entries.map(({ path }) => path);
    const read: string[] = [];
    const workspace = {
      stat: async (path: string) => {
        read.push(path);
        return stateAt(project.root, path);
      },
      kindOf: async (path: string) => stateAt(project.root, path).kind,
    };
    const unwatched = await unwatchedPaths(readFileSync(join(project.root, '.git/index')), workspace);
    const outcome = await reader.state();
    if (outcome.kind === 'problem') throw new Error(outcome.problem.kind);
    return await use(
      project,
      await treeView(reader, outcome.state, [...dirty, ...unwatched], changes, workspace),
      read,
    );
  } finally {
    await reader.close();
    project.remove();
  }
}

function stateAt(root: string, path: string): FileState {
  const at = join(root, path);
  const beneathFile = lstatSync(dirname(at), { throwIfNoEntry: false })?.isDirectory() === false;
  const stat = beneathFile ? undefined : lstatSync(at, { throwIfNoEntry: false });
  if (stat === undefined) return { kind: 'absent' };
  if (stat.isDirectory()) return { kind: 'directory' };
  if (stat.isSymbolicLink()) return { kind: 'symlink', target: readlinkSync(at) };
  const bytes = readFileSync(at);
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256;
  return { kind: 'file', sha256, size: bytes.length, executable: (stat.mode & 0o100) !== 0 };
}

/** Makes the working tree what a view shows. */
function apply(root: string, entries: readonly ViewEntry[]): void {
  for (const { path, entry } of entries) {
    if (entry.kind === 'absent') rmSync(join(root, path), { force: true, recursive: true });
  }
  for (const { path, entry } of entries) {
    if (entry.kind === 'absent') continue;
    const at = join(root, path);
    rmSync(at, { recursive: true, force: true });
    const parent = lstatSync(dirname(at), { throwIfNoEntry: false });
    if (parent?.isDirectory() !== true) rmSync(dirname(at), { force: true });
    mkdirSync(dirname(at), { recursive: true });
    if (entry.kind === 'symlink') symlinkSync(entry.target, at);
    else writeFileSync(at, entry.bytes, { mode: entry.executable ? 0o755 : 0o644 });
  }
}

/** The tree of everything in the working tree that git does not ignore. */
function treeOf(project: RealRepository): string {
  rmSync(join(project.root, '.git/index'));
  project.git('add', '--all');
  return project.git('write-tree').trim();
}

const EDITS: readonly (readonly [string, Edit])[] = [
  ['nothing', () => undefined],
  ['an edit', (p) => p.write('src/b.js', 'dirty\n')],
  [
    'a staged edit',
    (p) => {
      p.write('src/b.js', 'dirty\n');
      p.git('add', 'src/b.js');
    },
  ],
  [
    'a staged edit taken back in the working tree',
    (p) => {
      p.write('src/b.js', 'x\n');
      p.git('add', '.');
      p.write('src/b.js', 'two\n');
    },
  ],
  ['a deletion', (p) => rmSync(join(p.root, 'lib'), { recursive: true })],
  ['a staged deletion', (p) => p.git('rm', '-q', 'src/b.js')],
  ['a deletion in the index alone', (p) => p.git('rm', '-q', '--cached', 'src/b.js')],
  ['a new file', (p) => p.write('src/helper.js', 'new\n')],
  [
    'new files in new directories',
    (p) => {
      p.write('new/x/1', '');
      p.write('new/y/2', '');
    },
  ],
  [
    'a staged new file',
    (p) => {
      p.write('src/helper.js', 'new\n');
      p.git('add', '.');
    },
  ],
  ['a renamed file', (p) => renameSync(join(p.root, 'src/b.js'), join(p.root, 'src/moved.js'))],
  ['a mode', (p) => chmodSync(join(p.root, 'run.sh'), 0o644)],
  [
    'a link that leads elsewhere',
    (p) => {
      rmSync(join(p.root, 'link'));
      symlinkSync('run.sh', join(p.root, 'link'));
    },
  ],
  [
    'a file in place of a directory',
    (p) => {
      rmSync(join(p.root, 'lib/deep'), { recursive: true });
      p.write('lib/deep', 'file\n');
    },
  ],
  [
    'a directory in place of a file',
    (p) => {
      rmSync(join(p.root, 'run.sh'));
      p.write('run.sh/inner', 'x\n');
    },
  ],
  [
    'an edit that git was told not to see',
    (p) => {
      p.git('update-index', '--assume-unchanged', 'src/b.js');
      p.write('src/b.js', 'dirty\n');
    },
  ],
  [
    'an edit of a file that is skipped',
    (p) => {
      p.git('update-index', '--skip-worktree', 'src/b.js');
      p.write('src/b.js', 'dirty\n');
    },
  ],
  ['an edit of the file that the session changes', (p) => p.write('src/a.js', 'dirty\n')],
  [
    'odd names',
    (p) => {
      p.write('src/ü \n"x', 'new\n');
      p.write('-n', 'new\n');
    },
  ],
];

it('reads nothing of files that HEAD does not have', async () => {
  await viewAfter(
    (p) => {
      p.write('video.bin', 'as large as the disk\n');
      p.write('src/b.js', 'dirty\n');
    },
    (_, view, read) => {
      expect(view.onHead.map(({ path }) => path)).toEqual(['src/b.js', 'video.bin']);
      expect(read).toEqual(['src/b.js']);
    },
  );
});

describe('the tree to be committed, shown where the user has', () => {
  it.each(EDITS)('%s, is exactly that', async (_, edit) => {
    await viewAfter(edit, (project, { overrides }) => {
      project.write('src/a.js', SESSION_TEXT);
      apply(project.root, overrides);
      const shown = treeOf(project);
      project.git('read-tree', 'HEAD');
      project.git('checkout-index', '--all', '--force');
      project.write('src/a.js', SESSION_TEXT);
      project.git('clean', '-ffdq');
      expect(shown).toBe(treeOf(project));
    });
  });

  it.each(EDITS)('%s, and HEAD without the session, is exactly HEAD', async (_, edit) => {
    await viewAfter(edit, (project, { onHead }) => {
      apply(project.root, onHead);
      expect(treeOf(project)).toBe(project.git('rev-parse', 'HEAD^{tree}').trim());
    });
  });

  it('leaves what git ignores, and a file as HEAD has it, to the project', async () => {
    await viewAfter(
      (p) => {
        p.write('cache/x', 'kept\n');
        p.write('src/b.js', 'x');
        p.write('src/b.js', 'two\n');
      },
      (_, view) => {
        expect(view).toEqual({ overrides: [], onHead: [], kept: [] });
      },
    );
  });

  it('says of which submodules it cannot show the commit that HEAD names', async () => {
    await viewAfter(
      (p) => {
        p.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
        p.git('commit', '-qm', 'A submodule');
        mkdirSync(join(p.root, 'sub'));
        p.git('-C', 'sub', 'init', '-q');
        p.git('-C', 'sub', '-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-qm', 'x', '--allow-empty');
      },
      (_, view) => {
        expect(view.kept).toEqual(['sub']);
      },
    );
  });

  it('passes over what a sparse checkout leaves out', async () => {
    const sparse: Edit = (p) => {
      p.git('update-index', '--skip-worktree', 'src/b.js');
      rmSync(join(p.root, 'src/b.js'));
    };
    await viewAfter(sparse, (_, view) => {
      expect(view.overrides).toEqual([]);
    });
  });
});

describe('the digest of a view', () => {
  const file = (text: string, executable = false): ViewEntry => ({
    path: 'f',
    entry: { kind: 'file', bytes: Buffer.from(text), executable },
  });
  const view = (overrides: readonly ViewEntry[], kept: readonly string[] = []): TreeView => ({
    overrides,
    onHead: [],
    kept,
  });
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)] as [ObjectId, ObjectId];

  it('differs with whatever is shown', () => {
    const digests = [
      viewDigest(one, view([])),
      viewDigest(two, view([])),
      viewDigest(one, view([file('a')])),
      viewDigest(one, view([file('b')])),
      viewDigest(one, view([file('a', true)])),
      viewDigest(one, view([{ path: 'f', entry: { kind: 'absent' } }])),
      viewDigest(one, view([{ path: 'f', entry: { kind: 'symlink', target: 'a' } }])),
      viewDigest(one, view([], ['inner'])),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(viewDigest(one, view([file('a')]))).toBe(digests[2]);
  });
});

it('takes a link in a directory’s place for no submodule', async () => {
  const linked: Edit = ({ root }) => {
    rmSync(join(root, 'lib'), { recursive: true });
    symlinkSync('src', join(root, 'lib'));
  };
  await viewAfter(linked, (_, view) => {
    expect(view.kept).toEqual([]);
    expect(view.overrides.map(({ path, entry }) => [path, entry.kind])).toEqual([
      ['lib', 'absent'],
      ['lib/deep/c.js', 'file'],
    ]);
  });
});
