import { isMet } from './benchmark.ts';
import type { Benchmark, Measurement, Table, Verdict } from './benchmark.ts';
import type { Machine } from './machine.ts';

/** A benchmark and its result. */
export type Outcome =
  | { readonly benchmark: Benchmark; readonly kind: 'measured'; readonly measurement: Measurement }
  | { readonly benchmark: Benchmark; readonly kind: 'failed'; readonly why: string };

/** docs/benchmarks.md, whole. */
export function writePage(machine: Machine, outcomes: readonly Outcome[], tookSeconds: number): string {
  return `${[
    '# Benchmarks',
    'Written by `npm run bench`, whole: do not edit it, run that again.',
    'What is compared is timed in turns, round by round, in one run: a ratio holds on a busy machine where a time does not. p50 is the median, p99 the 99th percentile (with fewer than 100 samples the slowest); a ratio is one of medians.',
    machineTable(machine, tookSeconds),
    '## At a glance',
    summaryTable(outcomes),
    ...outcomes.map(section),
  ].join('\n\n')}\n`;
}

/** The text for one benchmark, in the terminal and on the page. */
export function section(outcome: Outcome): string {
  const { benchmark } = outcome;
  const parts = [`## ${benchmark.name}`, benchmark.what];
  if (outcome.kind === 'failed') return [...parts, `Not measured: ${oneLine(outcome.why)}`].join('\n\n');
  const { tables, counts = [], verdicts } = outcome.measurement;
  const counted = counts.map(({ head, rows }) => table(head, rows));
  return [
    ...parts,
    ...tables.map(timeTable),
    ...counted,
    verdicts.map(verdictLine).join('\n'),
    benchmark.dominates,
  ].join('\n\n');
}

function machineTable(machine: Machine, tookSeconds: number): string {
  return table(
    ['of the run', ''],
    [
      ['date', machine.date],
      ['commit', machine.commit],
      ['processors', `${machine.processors}, ${machine.processorName}`],
      ['load average at the start', machine.loadAverage.map((load) => load.toFixed(2)).join(' ')],
      ['system', machine.system],
      ['Node', machine.node],
      ['container engine', machine.engine],
      ['took', `${Math.round(tookSeconds)} s`],
    ],
  );
}

function summaryTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap((outcome): string[][] => {
    if (outcome.kind === 'failed') return [[outcome.benchmark.name, '', '', 'not measured']];
    return outcome.measurement.verdicts.map((verdict) => [
      verdict.what,
      amount(verdict.value, verdict.unit),
      aimOf(verdict),
      metWord(verdict),
    ]);
  });
  return table(['figure', 'measured', 'aim', ''], rows);
}

function timeTable({ title, unit, rows }: Table): string {
  const lines = rows.map(({ name, summary }) => [
    name,
    number(summary.p50),
    number(summary.p99),
    String(summary.samples),
  ]);
  return table([title, `p50 ${unit}`, `p99 ${unit}`, 'samples'], lines);
}

function verdictLine(verdict: Verdict): string {
  const aim = verdict.aim === null ? '' : ` (aim: ${aimOf(verdict)}; ${metWord(verdict)})`;
  return `- ${verdict.what}: **${amount(verdict.value, verdict.unit)}**${aim}`;
}

function aimOf({ aim, unit }: Verdict): string {
  return aim === null ? 'none' : `${aim.kind} ${amount(aim.value, unit)}`;
}

function metWord(verdict: Verdict): string {
  switch (isMet(verdict)) {
    case true:
      return 'met';
    case false:
      return 'not met';
    case null:
      return '';
  }
}

function amount(value: number, unit: Verdict['unit']): string {
  return unit === '' ? number(value) : `${number(value)} ${unit}`;
}

/** Three digits that count; whole numbers from a thousand on. */
export function number(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
