import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCommit, walkRange } from '../../../../src/cli/audit/range/walk-range.ts';
import type { ObjectId } from '../../../../src/contracts/ids.ts';
import { makeRepository } from '../../../support/real-git.ts';
import type { RealRepository } from '../../../support/real-git.ts';
import { ROUNDS_TIMEOUT_MS, rounds, seededRandom } from '../../../seeded-random.ts';

let made: RealRepository;
beforeEach(() => {
  made = makeRepository();
  // The tree without files.
  made.gitBytes(['mktree'], '');
});
afterEach(() => made.remove());

/** What each commit says: one more process for each that is read would take most of the time. */
const contents = new Map<ObjectId, Buffer>();
const read = (id: ObjectId) => {
  const commit = parseCommit(id, { type: 'commit', content: contents.get(id) ?? Buffer.alloc(0) });
  if (commit === null) throw new Error(`${id} is no commit`);
  return Promise.resolve(commit);
};

/** A commit without files, at a second of one's choice. */
function commit(parents: readonly string[], seconds: number): ObjectId {
  const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  const who = `Ada <ada@example.org> ${seconds} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${who}`, `committer ${who}`, '', ''];
  const content = Buffer.from(lines.join('\n'));
  const id = made.gitBytes(['hash-object', '-w', '-t', 'commit', '--stdin'], content).toString().trim() as ObjectId;
  contents.set(id, content);
  return id;
}

const walked = async (from: ObjectId, to: ObjectId): Promise<string[]> =>
  (await walkRange(from, to, read)).map(({ id }) => id);
const listed = (from: string, to: string): string[] =>
  made
    .git('rev-list', `${from}..${to}`)
    .split('\n')
    .filter((id) => id !== '');

describe('the commits of a range', () => {
  it('are those of git, whatever the shape of the history', { timeout: ROUNDS_TIMEOUT_MS }, async () => {
    const random = seededRandom(7);
    for (let round = 0; round < rounds(4, 200); round += 1) {
      const all: ObjectId[] = [commit([], 1_000_000 + round)];
      for (let n = 1; n < 25; n += 1) {
        const parents = Array.from(
          { length: 1 + Math.floor(random() * 2) },
          () => all[Math.floor(random() * all.length)] as string,
        );
        all.push(commit([...new Set(parents)], 1_000_000 + round + n * 60));
      }
      for (let pair = 0; pair < 8; pair += 1) {
        const [from, to] = [all[Math.floor(random() * all.length)], all[Math.floor(random() * all.length)]] as [
          ObjectId,
          ObjectId,
        ];
        expect((await walked(from, to)).sort()).toEqual(listed(from, to).sort());
      }
    }
  });

  it('leave none out where dates lie', async () => {
    const root = commit([], 2_000_000_000);
    const old = commit([root], 5);
    const base = commit([old], 1_999_999_999);
    const head = commit([commit([base], 1), commit([old], 2_000_000_001)], 7);
    for (const id of listed(base, head)) expect(await walked(base, head)).toContain(id);
  });

  it('are none between a commit and itself, or back to an ancestor', async () => {
    const root = commit([], 1);
    const next = commit([root], 2);
    expect(await walked(next, next)).toEqual([]);
    expect(await walked(next, root)).toEqual([]);
  });
});

it.each([
  ['no header', 'x'],
  ['no tree', 'parent x\n\nmessage'],
  ['no message', `tree ${'a'.repeat(40)}\nauthor x`],
])('a commit with %s is malformed', (_, text) => {
  expect(parseCommit('a'.repeat(40) as ObjectId, { type: 'commit', content: Buffer.from(text) })).toBeNull();
});

it.each(['tag', 'blob'] as const)('a %s with the text of a commit is no commit', (type) => {
  const id = 'a'.repeat(40) as ObjectId;
  const content = Buffer.from(`tree ${id}\ncommitter A <a@example.org> 1 +0000\n\nmessage\n`);
  expect(parseCommit(id, { type: 'commit', content })).toMatchObject({ tree: id, seconds: 1 });
  expect(parseCommit(id, { type, content })).toBeNull();
});
