import { expect, it } from 'vitest';
import { changedText } from '../../../../src/kernel/proof/mutation/changed-hunks.ts';
import { deletedRules } from '../../../../src/kernel/proof/mutation/deleted-rules.ts';

const FUNCTION = 'def pay(user, amount):\n    if amount < 0:\n        raise ValueError(amount)\n    return user\n';
const WITHOUT = 'def pay(user, amount):\n    return user\n';

it('finds a deleted rule, and restores it at its place', () => {
  expect(deletedRules(changedText(FUNCTION, WITHOUT))).toEqual([
    { line: 1, words: '`if amount < 0:` is put back', text: FUNCTION },
  ]);
  const more = `${WITHOUT}\n\ndef refund(user):\n    return user\n`;
  expect(deletedRules(changedText(FUNCTION, more)).map(({ text }) => text)).toEqual([
    `${FUNCTION}\n\ndef refund(user):\n    return user\n`,
  ]);
});

it.each([
  ['it is replaced', FUNCTION, FUNCTION.replace('amount < 0', 'amount <= 0')],
  ['a whole function is gone', `${FUNCTION}\n\ndef refund(user):\n    return user\n`, FUNCTION],
  ['a method is gone', 'class A:\n    def f(self):\n        return 1\n\n    x = 1\n', 'class A:\n    x = 1\n'],
  ['it decides nothing', 'def f(a):\n    print(a)\n    return a\n', 'def f(a):\n    return a\n'],
  ['it is a comment', 'def f(a):\n    # if not, raise\n    return a\n', 'def f(a):\n    return a\n'],
])('finds nothing where %s', (_, before, after) => {
  expect(deletedRules(changedText(before, after))).toEqual([]);
});

it.each(['    audit.send(user)\n', '    client.delete(user.cart)\n'])('finds a deleted call: %s', (call) => {
  const before = FUNCTION.replace('    return user\n', `${call}    return user\n`);
  expect(deletedRules(changedText(before, FUNCTION)).map(({ text }) => text)).toEqual([before]);
});

it.each(['    logger.info(user)\n', '    self.sort()\n'])(
  'finds nothing where a call is gone that reaches nothing: %s',
  (call) => {
    const before = FUNCTION.replace('    return user\n', `${call}    return user\n`);
    expect(deletedRules(changedText(before, FUNCTION))).toEqual([]);
  },
);
