import { expect, it } from 'vitest';
import type { TestCase } from '../../../../src/contracts/sandbox/test-run.ts';
import { testCaseSchema } from '../../../../src/contracts/sandbox/test-run.ts';
import { reportedCases, reportedReason } from '../../../../src/kernel/proof/run/reported-cases.ts';

const KEY = `ghp_${'a1'.repeat(18)}`;
const OWN = `mine_${'x'.repeat(20)}`;
const SHAPES = [{ name: 'own', prefix: 'mine_', minLength: 10 }];

it('has no secret in any text that the project wrote, and stays a case', () => {
  const written: TestCase = {
    file: `test/${KEY}.ts`,
    name: `is ${KEY} ${OWN}`,
    status: 'failed',
    duration_ms: 1,
    failure: {
      kind: 'load',
      message: `expected ${KEY} to be ${OWN}`,
      missing: { specifier: `./${KEY}`, export: OWN },
    },
  };
  const [told] = reportedCases([written], SHAPES);
  expect(testCaseSchema.parse(told)).toMatchObject({ status: 'failed', failure: { kind: 'load' } });
  expect(JSON.stringify(told)).not.toMatch(/a1a1|xxxx/);
});

it('bounds names and messages, after the secrets are out', () => {
  const message = `${'m'.repeat(1990)} ${KEY}${'n'.repeat(100_000)}`;
  const written: TestCase = {
    file: 'a',
    name: 'n'.repeat(100_000),
    status: 'failed',
    duration_ms: 1,
    failure: { kind: 'error', message },
  };
  const text = JSON.stringify(reportedCases([written], []));
  expect(text.length).toBeLessThan(3000);
  expect(text).not.toContain('ghp_');
});

it('leaves an ordinary case as it is', () => {
  const written: TestCase = { file: 'test/a.ts', name: 'adds', status: 'passed', duration_ms: 2 };
  expect(reportedCases([written], [])).toEqual([written]);
});

it('has no secret in the reason of a run that counts for nothing, and a bounded length', () => {
  const why = reportedReason(`the service redis ended at once: ${KEY} ${OWN} ${'y'.repeat(3000)}`, SHAPES);
  expect(why).toMatch(/^the service redis ended at once: /);
  expect(why).not.toMatch(/a1a1|xxxx/);
  expect(why).toHaveLength(2000);
});
