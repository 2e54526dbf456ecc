import { describe, expect, it } from 'vitest';
import type { Proof } from '../../../../src/contracts/review/proof.ts';
import { afterGreen } from '../../../../src/kernel/call/perform/after-green.ts';

const COMMAND = { runner: 'node-test', cwd: '', args: [] };
const NEXT = 'Call git.commit with the commit message.';

const survivors = ['>', '<', '+', '-', '*'].map((operator, index) => ({
  path: 'src/a.js',
  line: index + 1,
  mutator: 'swap-operator',
  words: `nobody notices ${operator}`,
}));

function proof(fields: Partial<Proof>): Proof {
  return { observations: [], findings: [], ...fields } as Proof;
}

describe('after green the model', () => {
  it.each([
    ['nothing was observed', null],
    ['every broken line was noticed', proof({ mutants: { tried: 6, noticed: 6, survivors: [] } })],
  ])('commits, where %s', (_, observed) => {
    expect(afterGreen(observed, COMMAND)).toBe(NEXT);
  });

  it('reads what no test notices, and how a case for it is added', () => {
    const text = afterGreen(proof({ mutants: { tried: 9, noticed: 4, survivors } }), COMMAND);
    expect(text).toContain('nobody notices >; nobody notices <; nobody notices +; nobody notices - and 1 more');
    expect(text).toContain('workflow.revise_tests');
    expect(text).toContain(NEXT);
  });

  it('reads of a function of which nothing is noticed', () => {
    const finding = { kind: 'unnoticed-function', path: 'src/a.js', line: 1, words: 'nobody asks for f' } as const;
    expect(afterGreen(proof({ findings: [finding] }), COMMAND)).toContain('nobody asks for f');
  });

  it.each(['replaces-source', 'absent-module', 'only-forwards', 'computed-load', 'loads-tests'])(
    'reads that the source has to do its own work (%s)',
    (kind) => {
      const finding = { kind, path: 'src/a.js', line: 1, words: 'it loads ./b' };
      const text = afterGreen(proof({ findings: [finding] }), COMMAND);
      expect(text).toContain('src/a.js:1: it loads ./b. The source has to do the work of the task without its tests.');
      expect(text).toContain('workflow.revise_tests');
      expect(text).toContain(NEXT);
    },
  );
});
