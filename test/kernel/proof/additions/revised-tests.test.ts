import { describe, expect, it } from 'vitest';
import { bothVersions } from '../../../../src/kernel/proof/additions/both-versions.ts';
import {
  settledRevisions,
  testsToCompare,
  wordsOfRevision,
} from '../../../../src/kernel/proof/additions/revised-tests.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const PATH = 'test/max.test.js';
const CASE = "test('larger', () => assert.equal(max(1, 2), 2));\n";
const NEW_CASE = "test('first', () => assert.equal(max(2, 1), 2));\n";

/** What a person is shown of tests that were `before` when they were revised, and are `after` when they have been run again. */
async function shown(before: string, after: string | null, path = PATH): Promise<string | null> {
  const then = testKernel({ files: {}, staged: { [path]: before } });
  const texts = await testsToCompare(then, { [path]: 'hash' });
  const now = testKernel({ files: {}, staged: after === null ? {} : { [path]: after } });
  const revision = {
    reason: 'it was wrong',
    at_ms: 1,
    tests: { [path]: 'hash' },
    ...(texts === null ? {} : { texts }),
  };
  const [settled] = await settledRevisions(now.context, [revision]);
  expect(settled).not.toHaveProperty('texts');
  return settled === undefined ? null : wordsOfRevision(settled);
}

describe('of tests that were revised a person is shown', () => {
  it('nothing where cases were only added', async () => {
    expect(await shown(CASE, CASE + NEW_CASE)).toBeNull();
    expect(await shown(CASE, CASE)).toBeNull();
  });

  it('both versions of an expectation', async () => {
    expect(await shown(CASE, CASE.replace(', 2))', ', 1))'))).toMatch(
      /^it was wrong \(test\/max\.test\.js: 1: in 'larger', `.*max\(1, 2\), 2\)\);` is now `.*max\(1, 2\), 1\)\);`\)$/,
    );
  });

  it.each<[string, string, string | null, string]>([
    ['a case that is gone', CASE + NEW_CASE, CASE, PATH],
    ['a file that is gone', CASE, null, PATH],
    ['a fixture that is another one', 'a', 'b', 'test/fixtures/a.txt'],
    ['a test that was too large to keep', `${CASE}//${'x'.repeat(300_000)}`, CASE, PATH],
    ['a file with an error in it', CASE, `${CASE})`, PATH],
  ])('%s', async (_, before, after, path) => {
    expect(await shown(before, after, path)).toMatch(/^it was wrong/);
  });

  it('what nothing is known of, as with a session of an earlier version', () => {
    expect(wordsOfRevision({ reason: 'it was wrong', at_ms: 1, tests: {} })).toBe('it was wrong');
  });
});

it('both versions of a long line are shown around what differs', () => {
  const long = 'x'.repeat(200);
  expect(bothVersions(`${long} 1 ${long}`, `${long} 23 ${long}`)).toBe(
    `\`…${'x'.repeat(23)} 1 ${'x'.repeat(23)}…\` is now \`…${'x'.repeat(23)} 23 ${'x'.repeat(23)}…\``,
  );
});
