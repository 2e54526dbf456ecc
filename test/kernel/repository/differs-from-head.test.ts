import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dirtySince,
  pathsUnlikeHead,
  wasCheckedOutWithCrlf,
} from '../../../src/kernel/repository/differs-from-head.ts';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { changesFor } from '../../support/merge-fixture.ts';
import { copyRepository, makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

let original: RealRepository;

beforeAll(() => {
  original = makeRepository();
  original.write('src/a.js', 'one\n');
  original.write('src/b.js', 'two\n');
  original.write('src/id.js', '// $Id$\none\n');
  original.commit('First');
});
afterAll(() => original.remove());

/** Which paths are unlike HEAD when a session writes to them after the user did `edit`. */
async function unlikeAfter(
  edit: (repository: RealRepository) => void,
  paths: readonly string[],
  dirtyAtStart: readonly string[] = [],
): Promise<readonly string[]> {
  const repository = copyRepository(original);
  try {
    edit(repository);
    const reader = openRepository(ordinaryGitDirectories(repository.root));
    try {
      const outcome = await reader.state();
      if (outcome.kind === 'problem') throw new Error(outcome.problem.kind);
      const wanted = Object.fromEntries(paths.map((path) => [path, { text: 'of the session\n' }]));
      return await pathsUnlikeHead(reader, outcome.state, {
        changes: changesFor(repository.root, wanted),
        dirtyAtStart,
      });
    } finally {
      await reader.close();
    }
  } finally {
    repository.remove();
  }
}

describe('a path that a session wrote to', () => {
  it.each<[string, (repository: RealRepository) => void, string[]]>([
    ['is as HEAD has it', () => undefined, []],
    ['is beside an edit of another file', (each) => each.write('src/b.js', 'mine\n'), []],
    ['holds an edit of the user', (each) => each.write('src/a.js', 'mine\n'), ['src/a.js']],
    ['holds an edit of the same length', (each) => each.write('src/a.js', 'ONE\n'), ['src/a.js']],
    ['holds a file of the user that was never committed', (each) => each.write('src/new.js', 'mine\n'), ['src/new.js']],
    ['was deleted by the user', (each) => rmSync(join(each.root, 'src/a.js')), ['src/a.js']],
    ['was made executable by the user', (each) => chmodSync(join(each.root, 'src/a.js'), 0o755), ['src/a.js']],
  ])('%s', async (_, edit, expected) => {
    expect(await unlikeAfter(edit, ['src/a.js', 'src/new.js'])).toEqual(expected);
  });
});

describe('a path that a session wrote to, in a checkout with conversions,', () => {
  const id = () => original.git('rev-parse', 'HEAD:src/id.js').trim();
  it.each<[string, string, () => string, string[]]>([
    ['has the line ends that git gave it', 'src/a.js', () => 'one\r\n', []],
    ['has the id that git filled in', 'src/id.js', () => `// $Id: ${id()} $\none\n`, []],
    ['has both', 'src/id.js', () => `// $Id: ${id()} $\r\none\r\n`, []],
    ['has an id of another content', 'src/id.js', () => `// $Id: ${'0'.repeat(40)} $\none\n`, ['src/id.js']],
    ['has other line ends here and there', 'src/id.js', () => '// $Id$\r\none\n', ['src/id.js']],
    ['has an edit of the user besides', 'src/a.js', () => 'ONE\r\n', ['src/a.js']],
  ])('%s', async (_, path, text, expected) => {
    expect(await unlikeAfter((each) => each.write(path, text()), [path])).toEqual(expected);
  });

  it('is unlike HEAD where git says so', async () => {
    const edit = (each: RealRepository) => each.write('src/a.js', 'one\r\n');
    expect(await unlikeAfter(edit, ['src/a.js'], ['src/a.js'])).toEqual(['src/a.js']);
  });
});

describe('the working tree', () => {
  it('is held to what was dirty at the start, and to what the session changed itself', () => {
    const own = changesFor(original.root, { 'src/a.js': { text: 'x' } });
    expect(dirtySince(['notes.txt'], ['notes.txt', 'src/a.js'], own)).toEqual([]);
    expect(dirtySince(['notes.txt'], ['notes.txt', 'src/a.js', 'src/b.js'], own)).toEqual(['src/b.js']);
  });
});

describe('a file was checked out with CRLF', () => {
  it.each<[string, string, string, boolean]>([
    ['where it has CRLF and HEAD has LF', 'src/a.js', 'one\r\n', true],
    ['not where it is as HEAD has it', 'src/a.js', 'one\n', false],
    ['not where somebody edited it', 'src/a.js', 'ONE\r\n', false],
    ['not where HEAD has no such file', 'src/new.js', 'one\r\n', false],
  ])('%s', async (_, path, text, expected) => {
    const repository = copyRepository(original);
    const reader = openRepository(ordinaryGitDirectories(repository.root));
    try {
      repository.write(path, text);
      const outcome = await reader.state();
      if (outcome.kind === 'problem') throw new Error(outcome.problem.kind);
      const [change] = changesFor(repository.root, { [path]: { text: 'of the session\n' } });
      expect(await wasCheckedOutWithCrlf(reader, outcome.state, path, change?.before ?? { kind: 'absent' })).toBe(
        expected,
      );
    } finally {
      await reader.close();
      repository.remove();
    }
  });
});
