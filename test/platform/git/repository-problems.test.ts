import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashObject } from '../../../src/lib/git/object-id.ts';
import type { ObjectType } from '../../../src/lib/git/object-id.ts';
import { looseObjectName } from '../../../src/platform/git/object-database.ts';
import { refsBelow, resolveRef } from '../../../src/platform/git/refs.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';

let root: string;
let gitDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-repository-'));
  gitDir = join(root, '.git');
  write('HEAD', 'ref: refs/heads/main\n');
  write('refs/heads/main', `${COMMIT()}\n`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string | Buffer): void {
  mkdirSync(dirname(join(gitDir, name)), { recursive: true });
  writeFileSync(join(gitDir, name), text);
}

function loose(type: ObjectType, content: Buffer): string {
  const id = hashObject(type, content);
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  write(`objects/${looseObjectName(id)}`, deflateSync(whole));
  return id;
}

const PERSON = 'Ada <ada@example.org> 1700000000 +0000';
const COMMIT = (): string => {
  const tree = loose('tree', Buffer.alloc(0));
  return loose('commit', Buffer.from(`tree ${tree}\nauthor ${PERSON}\ncommitter ${PERSON}\n\nfirst\n`));
};

async function state() {
  const repository = openRepository({ gitDir, commonDir: gitDir }, () => Promise.resolve());
  return repository.state().finally(() => repository.close());
}

test('a repository on a branch with a commit can be used', async () => {
  expect(await state()).toMatchObject({ kind: 'ok', state: { branchRef: 'refs/heads/main', fileMode: true } });
});

test('the attributes that git keeps beside the working tree are read, and a pipe there is none', async () => {
  const attributes = async () => {
    const repository = openRepository({ gitDir, commonDir: gitDir });
    return repository.attributes().finally(() => repository.close());
  };
  expect(await attributes()).toBeNull();
  write('info/attributes', '*.secret filter=vault\n');
  expect(String(await attributes())).toBe('*.secret filter=vault\n');
  rmSync(join(gitDir, 'info/attributes'));
  execFileSync('mkfifo', [join(gitDir, 'info/attributes')]);
  expect(await attributes()).toBeNull();
});

test.each([
  [
    'version 1 with harmless extensions',
    '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tnoop = x\n\tworktreeConfig = true\n',
  ],
  [
    'the usual formats by name',
    '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = SHA1\n\trefStorage = files\n',
  ],
  ['an unknown extension that version 0 does not have', '[extensions]\n\tsomething = true\n'],
])('%s can be used', async (_what, config) => {
  write('config', config);
  expect(await state()).toMatchObject({ kind: 'ok' });
});

describe('a repository is refused', () => {
  const extension = (line: string): string => `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\t${line}\n`;

  test.each<readonly [string, () => void, object]>([
    [
      'of another format',
      () => write('config', '[core]\n\trepositoryFormatVersion = 2\n'),
      { what: 'repository format version 2' },
    ],
    ['with other ids', () => write('config', extension('objectFormat = sha256')), { what: 'the object format sha256' }],
    [
      'with other refs',
      () => write('config', extension('refStorage = reftable')),
      { what: 'the ref storage reftable' },
    ],
    ['with an unknown extension', () => write('config', extension('compat = x')), { what: 'the extension compat' }],
    [
      'with files elsewhere',
      () => write('config', '[core]\n\tworktree = /srv\n'),
      { what: 'a working tree elsewhere (core.worktree)' },
    ],
    [
      'with objects elsewhere',
      () => write('objects/info/alternates', '/srv/objects\n'),
      { what: 'objects borrowed from elsewhere (objects/info/alternates)' },
    ],
    [
      'whose files are linked',
      () => symlinkSync('/tmp', join(gitDir, 'info')),
      { what: '.git/info being a symbolic link' },
    ],
    [
      'on what is no branch',
      () => write('HEAD', 'ref: refs/tags/v1\n'),
      { what: 'HEAD on refs/tags/v1, which is not a branch' },
    ],
  ])('%s', async (_what, change, problem) => {
    change();
    expect(await state()).toEqual({ kind: 'problem', problem: { kind: 'unsupported', ...problem } });
  });

  test.each<readonly [string, () => void, object]>([
    ['without a branch', () => write('HEAD', `${COMMIT()}\n`), { kind: 'detached-head' }],
    ['without a commit', () => rmSync(join(gitDir, 'refs/heads/main')), { kind: 'no-commit' }],
    ['in the middle of a merge', () => write('MERGE_HEAD', ''), { kind: 'operation-in-progress', what: 'merge' }],
    [
      'in the middle of several reverts',
      () => write('sequencer/todo', 'revert 1\n'),
      { kind: 'operation-in-progress', what: 'revert' },
    ],
    [
      'in the middle of several picks',
      () => write('sequencer/todo', 'pick 1\n'),
      { kind: 'operation-in-progress', what: 'cherry-pick' },
    ],
  ])('%s', async (_what, change, problem) => {
    change();
    expect(await state()).toEqual({ kind: 'problem', problem });
  });

  test.each<readonly [string, () => void, string, string]>([
    [
      'whose configuration cannot be read',
      () => write('config', '[core\n'),
      'config',
      'line 1 is not git configuration',
    ],
    ['without HEAD', () => rmSync(join(gitDir, 'HEAD')), 'HEAD', 'it is missing'],
    ['whose HEAD is no ref', () => write('HEAD', 'main\n'), 'HEAD', 'it is not a ref'],
  ])('%s', async (_what, change, name, why) => {
    change();
    await expect(state()).rejects.toMatchObject({
      code: 'repository_unreadable',
      what: expect.stringContaining(join(gitDir, name)) as string,
      why,
    });
  });
});

describe('refs', () => {
  const git = () => ({ gitDir, commonDir: gitDir });

  test('that name each other in a circle are invalid', async () => {
    write('refs/heads/main', 'ref: refs/heads/other\n');
    write('refs/heads/other', 'ref: refs/heads/main\n');
    expect(await resolveRef(git(), 'HEAD')).toMatchObject({ kind: 'invalid' });
  });

  test('are listed in order up to a maximum, loose ones before packed ones', async () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
    write('packed-refs', `${one} refs/tags/a\n${one} refs/tags/b\n`);
    write('refs/tags/b', `${two}\n`);
    write('refs/tags/bad', 'none\n');
    write('refs/tags/c', `${two}\n`);
    expect([...(await refsBelow(git(), 'refs/tags/', 2))]).toEqual([
      ['refs/tags/a', one],
      ['refs/tags/b', two],
    ]);
    expect((await refsBelow(git(), 'refs/tags/', 9)).size).toBe(3);
  });
});
