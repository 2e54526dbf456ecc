import { expect, it } from 'vitest';
import { confirmRemoval } from '../../../src/cli/session/confirm-removal.ts';

function remove(state: 'reviewing' | 'code_writing', answer: string | null) {
  const asked: string[] = [];
  const ask = (question: string) => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return { asked, removed: confirmRemoval({ id: 's_aaaaaaaa', title: 'Parse \x1b[2Jit', state }, { ask }) };
}

it.each([
  ['reviewing', 'a change that waits for your review'],
  ['code_writing', 'staged work that is not committed'],
] as const)('a session that is %s is removed only after a yes, which names what it has', async (state, lost) => {
  const yes = remove(state, 'y');
  await yes.removed;
  expect(yes.asked.join()).toContain(lost);
  expect(yes.asked.join()).not.toContain('\x1b');
  for (const answer of ['', 'n', null]) {
    const { removed } = remove(state, answer);
    await expect(removed).rejects.toMatchObject({ code: 'not_confirmed', exitCode: 4 });
  }
});
