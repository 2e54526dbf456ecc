import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fromByteString } from '../../../src/lib/git/byte-string.ts';
import { encodeIndex, parseIndex } from '../../../src/lib/git/git-index.ts';
import type { GitIndex } from '../../../src/lib/git/git-index.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

const repositories: RealRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function repository(version: number): RealRepository {
  const made = makeRepository();
  repositories.push(made);
  made.git('config', 'index.version', String(version));
  for (const path of ['a', 'a-b/c', 'a/../d', `deep/${'x'.repeat(200)}/${'y'.repeat(200)}`, 'ünïcode/日本', 'z z/,']) {
    made.write(path, path);
  }
  made.write('run.sh', '#!/bin/sh\n');
  made.git('add', '--chmod=+x', 'run.sh');
  made.commit('first');
  if (version >= 3) {
    made.write('later', 'later');
    made.git('add', '--intent-to-add', 'later');
    made.git('update-index', '--skip-worktree', 'a');
  }
  made.git('update-index', '--assume-unchanged', 'd');
  return made;
}

function indexFile(made: RealRepository): string {
  return join(made.root, '.git/index');
}

function parsed(made: RealRepository): GitIndex {
  const outcome = parseIndex(readFileSync(indexFile(made)));
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.index;
}

/** In the words of `git ls-files --stage -z`. */
function asGitLists(index: GitIndex): string[] {
  return index.entries.map(
    (entry) => `${entry.mode.toString(8)} ${entry.id} ${entry.stage}\t${fromByteString(entry.path)}`,
  );
}

describe.each([2, 3, 4] as const)('version %i', (version) => {
  test('is read as git lists it', () => {
    const made = repository(version);
    const index = parsed(made);
    expect(index.version).toBe(version);
    expect(asGitLists(index)).toEqual(made.git('ls-files', '--stage', '-z').split('\0').slice(0, -1));
  });

  test('is written back byte for byte', () => {
    const made = repository(version);
    const bytes = readFileSync(indexFile(made));
    expect(encodeIndex(parsed(made)).equals(bytes)).toBe(true);
  });

  test('without its extensions is still an index to git', () => {
    const made = repository(version);
    const before = made.git('status', '--porcelain=v2');
    const flags = made.git('ls-files', '-v', '-z');
    writeFileSync(indexFile(made), encodeIndex({ ...parsed(made), extensions: [] }));
    expect(made.git('status', '--porcelain=v2')).toBe(before);
    expect(made.git('ls-files', '-v', '-z')).toBe(flags);
    made.git('fsck', '--strict');
  });
});

test('unmerged entries keep their stages', () => {
  const made = repository(2);
  made.git('checkout', '-q', '-b', 'other');
  made.write('a', 'theirs');
  made.commit('theirs');
  made.git('checkout', '-q', 'main');
  made.write('a', 'ours');
  made.commit('ours');
  expect(() => made.git('merge', 'other')).toThrow();
  const index = parsed(made);
  expect(index.entries.filter((entry) => entry.path === 'a').map((entry) => entry.stage)).toEqual([1, 2, 3]);
  expect(encodeIndex(index).equals(readFileSync(indexFile(made)))).toBe(true);
});

test('a split index and a sparse index are named, not guessed at', () => {
  const split = repository(2);
  split.git('update-index', '--split-index');
  expect(parseIndex(readFileSync(indexFile(split)))).toEqual({ kind: 'unsupported', what: 'split index' });
  const sparse = repository(2);
  sparse.git('sparse-checkout', 'init', '--cone', '--sparse-index');
  sparse.git('sparse-checkout', 'set', 'a-b');
  expect(parseIndex(readFileSync(indexFile(sparse)))).toEqual({ kind: 'unsupported', what: 'sparse index' });
});

test('an index damaged at any byte is refused', () => {
  const bytes = readFileSync(indexFile(repository(2)));
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x41;
    expect(parseIndex(damaged).kind).not.toBe('ok');
  }
});

test('an index cut short anywhere, with its checksum made right again, never throws', () => {
  const bytes = readFileSync(indexFile(repository(4)));
  for (let length = 0; length < bytes.length; length += 7) {
    // An all-zero checksum is one that git left out.
    const cut = Buffer.concat([bytes.subarray(0, length), Buffer.alloc(20)]);
    expect(() => parseIndex(cut)).not.toThrow();
  }
});
