import { expect, it } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { Repository } from '../../../src/contracts/ports/repository.ts';
import { recentSubjects } from '../../../src/kernel/commit/recent-subjects.ts';

const id = (digit: number): ObjectId => String(digit).repeat(40) as ObjectId;

/** Commits 1 to 3; the parent of the last is not here, as in a shallow clone. */
function repository(messages: readonly string[]): Repository {
  return {
    state: () =>
      Promise.resolve({
        kind: 'ok',
        state: { branchRef: 'refs/heads/main', head: id(1), headTree: id(9), fileMode: true },
      }),
    readObject: (wanted) => {
      const index = Number(wanted[0]) - 1;
      const message = messages[index];
      if (message === undefined) return Promise.resolve(null);
      const head = `tree ${id(9)}\nparent ${id(index + 2)}\nparent ${id(8)}\nauthor A <a@b.c> 1 +0000\ncommitter A <a@b.c> 1 +0000`;
      return Promise.resolve({ type: 'commit', content: Buffer.from(`${head}\n\n${message}`) });
    },
    readRef: () => Promise.resolve(null),
    attributes: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

it('are those of the branch, the newest first, until history ends', async () => {
  const log = repository(['Newest\n\nwith a body\n', '\nsecond\n', 'third']);
  expect(await recentSubjects(log, 10)).toEqual(['Newest', 'second', 'third']);
  expect(await recentSubjects(log, 2)).toEqual(['Newest', 'second']);
});
