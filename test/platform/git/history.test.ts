import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRevision } from '../../../src/lib/git/revision.ts';
import { openHistory } from '../../../src/platform/git/history.ts';
import type { History } from '../../../src/platform/git/history.ts';
import { locateRepository } from '../../../src/platform/git/locate-repository.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

let made: RealRepository;
beforeEach(() => {
  made = makeRepository();
  for (const name of ['one', 'two', 'three']) {
    made.write(`${name}.txt`, name);
    made.commit(name);
  }
  made.git('branch', 'topic', 'HEAD~1');
  made.git('tag', 'light', 'HEAD~2');
  made.git('tag', '-a', 'heavy', '-m', 'x', 'HEAD~2');
  made.git('tag', '-a', 'tree', '-m', 'x', 'HEAD^{tree}');
  made.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  made.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
});
afterEach(() => made.remove());

async function open<T>(use: (history: History) => Promise<T>, at = made.root): Promise<T> {
  const place = await locateRepository(at);
  if (place === null) throw new Error('no repository');
  const history = openHistory(place);
  try {
    return await use(history);
  } finally {
    await history.close();
  }
}

const resolve = (text: string, at?: string) =>
  open((history) => history.resolve(parseRevision(text) ?? { text: '?', name: '?', steps: [] }), at);

const REVISIONS = [
  'HEAD',
  '@',
  'main',
  'heads/main',
  'refs/heads/main',
  'topic',
  'light',
  'heavy',
  'tags/heavy',
  'origin',
  'origin/main',
  'HEAD~2',
  'heavy^0',
  'main^',
  'topic~1',
];

describe('a revision', () => {
  it.each(['loose', 'packed'])('names the commit that git names, with refs and objects %s', async (how) => {
    if (how === 'packed') {
      made.git('pack-refs', '--all');
      made.git('gc', '-q');
    }
    for (const text of REVISIONS) {
      const id = made.git('rev-parse', `${text}^{commit}`).trim();
      expect({ text, ...(await resolve(text)) }).toEqual({ text, kind: 'commit', id });
      expect(await resolve(id)).toEqual({ kind: 'commit', id });
      expect(await resolve(id.slice(0, 12))).toEqual({ kind: 'commit', id });
    }
  });

  it.each(['nothing', 'HEAD~9', 'HEAD^2', 'tree', 'refs/heads/../HEAD', 'deadbeef'])('%s names none', async (text) => {
    expect(await resolve(text)).toEqual({ kind: 'unknown' });
  });

  it('is the same in a bare clone, a linked worktree and a directory below', async () => {
    const head = made.git('rev-parse', 'HEAD').trim();
    const topic = made.git('rev-parse', 'topic').trim();
    const base = dirname(made.root);
    made.git('clone', '-q', '--bare', '.', join(base, 'bare.git'));
    made.git('worktree', 'add', '-q', join(base, 'linked'), 'topic');
    made.write('deep/er/file', '');
    expect(await resolve('HEAD', join(base, 'bare.git'))).toEqual({ kind: 'commit', id: head });
    expect(await resolve('HEAD', join(base, 'linked'))).toEqual({ kind: 'commit', id: topic });
    expect(await resolve('main', join(base, 'linked'))).toEqual({ kind: 'commit', id: head });
    expect(await resolve('HEAD', join(made.root, 'deep/er'))).toEqual({ kind: 'commit', id: head });
    expect(await locateRepository(base)).toBeNull();
  });

  it('that a tag and a branch go by is ambiguous: who pushes a tag must not choose what is verified', async () => {
    const [old, main] = [made.git('rev-parse', 'HEAD~2').trim(), made.git('rev-parse', 'origin/main').trim()];
    made.git('tag', 'origin/main', old);
    made.git('tag', 'refs/remotes/origin/main', old);
    made.git('tag', made.git('rev-parse', '--short=8', 'HEAD').trim(), old);
    expect(await resolve('origin/main')).toEqual({ kind: 'ambiguous' });
    expect(await resolve(made.git('rev-parse', 'HEAD').slice(0, 8))).toEqual({ kind: 'ambiguous' });
    expect(await resolve('refs/remotes/origin/main')).toEqual({ kind: 'commit', id: main });
    expect(await resolve('tags/origin/main')).toEqual({ kind: 'commit', id: old });
  });

  it('is looked for in the repository around, not in a bare one that is committed to it', async () => {
    made.git('clone', '-q', '--bare', '.', 'sub');
    made.git('--git-dir=sub', 'update-ref', 'refs/heads/main', 'HEAD~2');
    const head = made.git('rev-parse', 'HEAD').trim();
    expect(await resolve('main', join(made.root, 'sub'))).toEqual({ kind: 'commit', id: head });
    expect(await resolve('main', join(made.root, 'sub/refs'))).toEqual({ kind: 'commit', id: head });
    expect(await locateRepository(join(made.root, '.git'))).toMatchObject({ root: made.root });
  });

  it('that more than one object begins with is ambiguous', async () => {
    const seen = new Map<string, string>();
    for (let n = 0; ; n += 1) {
      const id = made.gitBytes(['hash-object', '--stdin'], `${n}\n`).toString().trim();
      const other = seen.get(id.slice(0, 4));
      if (other === undefined) {
        seen.set(id.slice(0, 4), `${n}\n`);
        continue;
      }
      for (const content of [other, `${n}\n`]) made.gitBytes(['hash-object', '-w', '--stdin'], content);
      expect(await resolve(id.slice(0, 4))).toEqual({ kind: 'ambiguous' });
      return;
    }
  }, 60_000);
});

describe('a HEAD that is no ref', () => {
  it.each([
    ['empty', ''],
    ['zeros', '\0'.repeat(20)],
    ['a path out of the repository', 'ref: ../../etc/passwd\n'],
  ])('is reported as unreadable, not as an unknown revision: %s', async (_, text) => {
    writeFileSync(join(made.root, '.git/HEAD'), text);
    await expect(resolve('HEAD')).rejects.toMatchObject({ code: 'repository_unreadable', exitCode: 2 });
  });
});

describe('what is missing', () => {
  it('is told: shallow, partial or neither', async () => {
    const base = dirname(made.root);
    expect(await open((history) => history.incompleteness())).toBeNull();
    made.git('clone', '-q', '--depth', '1', `file://${made.root}`, join(base, 'shallow'));
    expect(await open((history) => history.incompleteness(), join(base, 'shallow'))).toBe('shallow');
    expect(await resolve('HEAD~1', join(base, 'shallow'))).toMatchObject({ kind: 'missing' });
    made.git('config', 'uploadpack.allowFilter', 'true');
    made.git('clone', '-q', '--filter=blob:none', '--no-checkout', `file://${made.root}`, join(base, 'partial'));
    expect(await open((history) => history.incompleteness(), join(base, 'partial'))).toBe('partial');
  });
});

describe('refs below a prefix', () => {
  it('are found loose and packed, the loose one first, and nothing that is no ref', async () => {
    const [one, two] = [made.git('rev-parse', 'HEAD~2').trim(), made.git('rev-parse', 'HEAD').trim()];
    for (const name of ['a', 'b/c']) made.git('update-ref', `refs/fluffy/from/${name}`, one);
    made.git('pack-refs', '--all');
    made.git('update-ref', 'refs/fluffy/from/a', two);
    made.git('update-ref', 'refs/fluffy/fromage', two);
    writeFileSync(join(made.root, '.git/refs/fluffy/from/x.lock'), 'x');
    const refs = await open((history) => history.refsBelow('refs/fluffy/from/'));
    expect([...refs]).toEqual([
      ['refs/fluffy/from/a', two],
      ['refs/fluffy/from/b/c', one],
    ]);
    expect([...(await open((history) => history.refsBelow('refs/none/')))]).toEqual([]);
  });
});
