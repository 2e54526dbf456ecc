import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_EXTENSION_BYTES } from '../../../../src/contracts/policy-extension.ts';
import { loadPolicy, withSources } from '../../../../src/kernel/policy/index.ts';
import type { ExtensionText } from '../../../../src/kernel/policy/index.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What becomes of a policy whose one extension was signed as `signed` and is read as `found`. */
async function sourcesOf(signed: string, found: ExtensionText) {
  const text = `extensions:\n  - name: judge\n    entry: judge.ts\n    sha256: ${sha256(signed)}\n`;
  const loaded = loadPolicy(text, 'policy.yaml');
  if (loaded.kind === 'invalid') throw new Error(loaded.errors[0]?.message);
  return withSources(loaded.policy, () => Promise.resolve(found), { file: 'policy.yaml', locate: loaded.locate });
}

test('the text that was signed comes along with the policy', async () => {
  const made = await sourcesOf('a', { kind: 'text', text: 'a' });
  expect(made.kind === 'ok' ? made.policy.extensions : made.errors).toMatchObject([{ name: 'judge', source: 'a' }]);
});

const LARGEST = 'é'.repeat(MAX_EXTENSION_BYTES / 2);

test('a text of the largest size is taken', async () => {
  expect((await sourcesOf(LARGEST, { kind: 'text', text: LARGEST })).kind).toBe('ok');
});

test.each<[string, string, ExtensionText, number, RegExp]>([
  ['is another one', 'a', { kind: 'text', text: 'b' }, 4, /another text: its digest is [0-9a-f]{64}$/],
  ['is not there', 'a', { kind: 'missing' }, 3, /there is no file judge.ts/],
  ['cannot be read', 'a', { kind: 'unreadable', why: 'EACCES' }, 3, /EACCES/],
  ['is too large, signed or not', `${LARGEST}a`, { kind: 'text', text: `${LARGEST}a` }, 3, /more than 262144 bytes/],
])('a text that %s makes the policy unusable, and is placed', async (_title, signed, found, line, why) => {
  const made = await sourcesOf(signed, found);
  if (made.kind === 'ok') throw new Error('it is usable');
  expect(made.errors).toMatchObject([
    { file: 'policy.yaml', line, message: expect.stringMatching(why) as string, severity: 'error' },
  ]);
});
