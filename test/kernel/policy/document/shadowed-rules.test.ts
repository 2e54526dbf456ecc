import { expect, test } from 'vitest';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';
import { MAX_COMPARISONS } from '../../../../src/kernel/policy/document/shadowed-rules.ts';

/** As many denials as allows; none covers another, but the last of each are about the same. */
function policyOf(pairs: number, glob: string): string {
  const rules = Array.from({ length: pairs }, (_, pair) => [
    { name: `d${pair}`, match: { path_glob: glob, caller_tag: `d${pair}` }, action: 'deny' },
    { name: `a${pair}`, match: { path_glob: glob, caller_tag: `a${pair}` }, action: 'allow' },
  ]);
  const last = { path_glob: glob, caller_tag: 'same' };
  return JSON.stringify({
    capabilities: [
      ...rules.flat(),
      { name: 'd', match: last, action: 'deny' },
      { name: 'a', match: last, action: 'allow' },
    ],
  });
}

const warningsOf = (text: string) => {
  const loaded = loadPolicy(text, 'p.yaml');
  return loaded.kind === 'ok' ? loaded.warnings.map(({ message }) => message) : loaded.kind;
};

test.each(['**', 'src/'])('a rule that a denial covers is found among many on %s', (glob) => {
  expect(warningsOf(policyOf(100, glob))).toEqual([expect.stringContaining('rule "d" denies everything it matches')]);
});

test.each(['**', 'src/'])('no policy is compared with itself forever on %s', (glob) => {
  const pairs = Math.ceil(Math.sqrt(MAX_COMPARISONS)) + 1;
  expect(warningsOf(policyOf(pairs, glob))).toEqual([]);
});
