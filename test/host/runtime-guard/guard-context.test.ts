import { expect, test } from 'vitest';
import { isOurSandbox } from '../../../src/host/runtime-guard/guard-context.ts';

const ours = { 'fluffy.project': '0123456789abcdef', 'fluffy.instance': 'aabbccdd', 'fluffy.role': 'sandbox' };
test.each([
  ['a sandbox of this project', ours, true],
  ['of another project', { ...ours, 'fluffy.project': 'fedcba9876543210' }, false],
  ['of another instance', { ...ours, 'fluffy.instance': '00000000' }, false],
  ['L1 itself', { ...ours, 'fluffy.role': 'kernel' }, false],
  ['a volume behind a directory', { ...ours, 'fluffy.role': 'mount' }, false],
  ['without labels', {}, false],
  ['with null labels', null, false],
])('%s: ours is %s', (_name, labels, expected) => {
  expect(isOurSandbox(labels, { projectId: '0123456789abcdef', instance: 'aabbccdd' })).toBe(expected);
});
