import { expect, it } from 'vitest';
import { whyNotEditable } from '../../../src/kernel/commit/why-not-editable.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const REVIEWING = { state: 'reviewing' } as const;
const CLOSED = policyOf('capabilities: [{ name: no, match: { syscall: fs.write }, action: deny, reason: never }]');

it.each<readonly [string, TestKernelOptions, string, string | null]>([
  ['a source under review', REVIEWING, 'src/a.js', null],
  [
    'a test under review',
    REVIEWING,
    'test/a.test.js',
    'test/a.test.js is a test, and tests are frozen since the source was opened',
  ],
  ['a file in a state without a review', { state: 'planning' }, 'src/a.js', 'nothing can be edited in state planning'],
  [
    'a file outside of the exemption under review',
    { ...REVIEWING, snapshot: { exemption: { category: 'documentation', paths: ['a.md'], reason: 'typo' } as never } },
    'src/a.js',
    'src/a.js is not part of the exemption under review',
  ],
  [
    'a file that policy closes',
    { ...REVIEWING, policy: CLOSED },
    'src/a.js',
    'policy denies a change of src/a.js: never',
  ],
])('%s can be edited by a person, or not', async (_what, options, path, expected) => {
  expect(await whyNotEditable(testKernel(options), path)).toBe(expected);
});
