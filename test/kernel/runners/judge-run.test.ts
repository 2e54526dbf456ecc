import { expect, it } from 'vitest';
import type { TestSandboxResult } from '../../../src/contracts/ports/sandboxes.ts';
import { judgeRun } from '../../../src/kernel/runners/judge-run.ts';
import { jest } from '../../../src/kernel/runners/jest/runner.ts';
import type { PlanInput } from '../../../src/kernel/runners/runner.ts';

const plan = { files: ['a.test.js'] } as unknown as PlanInput;
const ended = (output: string, code = 2) =>
  judgeRun(jest, plan, {
    exit: { kind: 'exited', code },
    durationMs: 1,
    output,
    report: null,
    reportTruncated: false,
  } as TestSandboxResult);

it.each([
  ['', 'The runner left no report and exited with 2.'],
  ['Killed\n', 'The runner left no report and exited with 2.\nKilled'],
  [
    'fluffy: the tests could not be run: jest 26 is too old\n    at load (file:///opt/fluffy/tools/jest-run.mjs:4:5)\n    at node:internal/x:1:2\n',
    'The tests could not be run: jest 26 is too old.',
  ],
  [
    'from the project\nfluffy: the tests could not be run: it is broken\n  because of this\n    at its (/project/a.js:1:2)\n    at ours (/opt/fluffy/a.mjs:1:2)\n',
    'The tests could not be run: it is broken.\nfrom the project\n  because of this\n    at its (/project/a.js:1:2)',
  ],
])('a runner without a report says why, first and without frames of our programs: %j', (output, why) => {
  expect(ended(output)).toMatchObject({ outcome: 'crashed', why });
});
