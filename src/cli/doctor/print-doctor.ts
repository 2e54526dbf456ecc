import { verdict } from './doctor-report.ts';
import type { CheckLevel, DoctorCheck, DoctorReport } from './doctor-report.ts';
import { plural } from '../../lib/text/plural.ts';

const MARK: Readonly<Record<CheckLevel, string>> = { ok: 'ok   ', warn: 'warn ', error: 'ERROR' };

/** The report for people: paths, then a line for each check, with reason and fix below each problem. */
export function printDoctor(report: DoctorReport): string {
  const width = Math.max(...Object.keys(report.paths).map((name) => name.length));
  const paths = Object.entries(report.paths).map(([name, path]) => `  ${name.padEnd(width)}  ${path ?? '(none)'}`);
  const errors = report.checks.filter(({ level }) => level === 'error').length;
  const warnings = report.checks.filter(({ level }) => level === 'warn').length;
  return [
    'Paths',
    ...paths,
    '',
    'Checks',
    ...report.checks.flatMap(checkLines),
    '',
    errors + warnings === 0 ? 'No problems found.' : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`,
    verdict(report),
    '',
  ].join('\n');
}

function checkLines({ level, what, why, fix }: DoctorCheck): string[] {
  return [
    `  ${MARK[level]} ${what}`,
    ...(why === '' ? [] : [`          why: ${why}`]),
    ...(fix === '' ? [] : [`          fix: ${fix}`]),
  ];
}
