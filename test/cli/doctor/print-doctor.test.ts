import { expect, test } from 'vitest';
import { type DoctorReport, doctorExitCode, ok, problem } from '../../../src/cli/doctor/doctor-report.ts';
import { printDoctor } from '../../../src/cli/doctor/print-doctor.ts';

const report: DoctorReport = {
  paths: { state: '/s', engine_socket: null },
  engine: null,
  images: [],
  checks: [ok('a', 'fine')],
};

test('a sound machine', () => {
  expect(printDoctor(report)).toBe(
    'Paths\n  state          /s\n  engine_socket  (none)\n\nChecks\n  ok    fine\n\nNo problems found.\nA session can start here.\n',
  );
  expect(doctorExitCode(report)).toBe(0);
});

test('what is wrong comes with why and fix, and is counted', () => {
  const checks = [problem('warn', 'b', 'weak', 'old kernel', ''), problem('error', 'c', 'gone', 'not there', 'run: x')];
  expect(
    printDoctor({ ...report, checks })
      .split('\n')
      .slice(4),
  ).toEqual([
    'Checks',
    '  warn  weak',
    '          why: old kernel',
    '  ERROR gone',
    '          why: not there',
    '          fix: run: x',
    '',
    '1 error, 1 warning.',
    'A session cannot start here: gone.',
    '',
  ]);
  expect(doctorExitCode({ ...report, checks })).toBe(3);
  expect(doctorExitCode({ ...report, checks: checks.slice(0, 1) })).toBe(0);
});

test.each([
  ['only errors of a configuration', [2, 2], 2],
  ['an error of the engine beside one of a configuration', [2, undefined], 3],
] as const)('the exit code of %s is that of the start', (_name, codes, expected) => {
  const checks = codes.map((code) => ({
    ...problem('error', 'c', 'gone', '', ''),
    ...(code === undefined ? {} : { exit_code: code }),
  }));
  expect(doctorExitCode({ ...report, checks })).toBe(expected);
});
