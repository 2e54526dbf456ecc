import { describe, expect, it } from 'vitest';
import { gitText } from '../../../src/kernel/tools/shared/git-text.ts';
import type { InspectRequest, ToolContext } from '../../../src/kernel/tools/tool-context.ts';
import { useOf } from '../../support/kernel/calls.ts';

const KEPT = 'abcdefghij';
const HIT = { reference: 'm3.0', what: 'result', excerpt: 'a needle' };
const context = {
  history: {
    read: (reference: string) => (reference === 'm3.0' ? KEPT : reference === 'm4.0' ? '' : null),
    search: (query: string) => (query === 'needle' ? [HIT] : []),
  },
} as unknown as ToolContext;

describe('output.read', () => {
  it.each([
    [{ reference: 'm3.0' }, { ok: true, text: KEPT }],
    [
      { reference: 'm3.0', offset: 8, limit: 2 },
      { ok: true, text: 'ij' },
    ],
    [
      { reference: 'm3.0', limit: 4 },
      { ok: true, text: 'abcd\n(characters 0 to 4 of 10; read on with offset 4)' },
    ],
    [{ reference: 'm4.0' }, { ok: true, text: '' }],
    [
      { reference: 'm3.0', offset: 10 },
      {
        ok: false,
        error: { code: 'invalid_input', message: '"m3.0" has 10 characters; offset 10 is behind its end.' },
      },
    ],
    [
      { reference: 'm9.0' },
      {
        ok: false,
        error: {
          code: 'not_found',
          message: 'Nothing is stored under "m9.0". history.search finds earlier messages and results.',
        },
      },
    ],
  ])('of %j', async (input, answer) => {
    expect(await useOf('output.read', input).perform(context)).toMatchObject(answer);
  });
});

it.each([
  ['needle', 'The newest first; output.read shows each whole by its reference.\nm3.0 result: a needle'],
  ['thread', 'Nothing in this session contains "thread".'],
])('history.search for %s', async (query, text) => {
  expect(await useOf('history.search', { query }).perform(context)).toMatchObject({ ok: true, text });
});

describe('git.diff', () => {
  const textOf = async (result: unknown, readable = true) => {
    let asked: InspectRequest | undefined;
    const inspect = (request: InspectRequest) => {
      asked = request;
      return Promise.resolve();
    };
    await useOf('git.diff', {}).perform({ named: [], inspect } as unknown as ToolContext);
    return asked?.text?.(result, () => readable);
  };
  const DIFF = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';

  it.each<readonly [string, unknown, boolean, string | null]>([
    ['nothing', { diff: '', truncated: false }, true, 'No changes.'],
    ['a change', { diff: DIFF, truncated: false }, true, DIFF],
    [
      'a change that may not be read',
      { diff: DIFF, truncated: false },
      false,
      '(1 part left out: not open to reading)',
    ],
    [
      'a change that was cut',
      { diff: DIFF, truncated: true },
      true,
      `${DIFF}\n(the diff was too long and was cut; name a path for less of it)`,
    ],
    ['something else', { text: 'x' }, true, null],
  ])('shows %s', async (_what, result, readable, text) => {
    expect(await textOf(result, readable)).toBe(text);
  });
});

it.each([
  [{ text: 'clean' }, 'clean'],
  [{ text: 1 }, '{\n "text": 1\n}'],
  [null, 'null'],
])("of git's result %j the text is shown, or all of it", (result, text) => {
  expect(gitText(result)).toBe(text);
});

describe('a call of deps.add warns', () => {
  it.each<readonly [string, object, RegExp | null]>([
    ['not of a package that is well known', { name: 'express' }, null],
    ['of a name that is nearly one that is well known', { name: 'expresss' }, /express/],
    ['not of a name that is like no other', { name: 'zq9-internal-thing' }, null],
  ])('%s', (_what, input, warning) => {
    const warnings = useOf('deps.add', input).warnings;
    if (warning === null) expect(warnings).toEqual([]);
    else expect(warnings.join()).toMatch(warning);
  });

  it('gives the features of a crate in its words', () => {
    expect(useOf('deps.add', { name: 'serde', features: ['derive'] }).words).toBe('serde with derive');
  });
});
