import { isMet } from './benchmark.ts';
import type { Benchmark, Measurement, Table, Verdict } from './benchmark.ts';
import type { Machine } from './machine.ts';

/** A benchmark and its result. */
export type Outcome =
  | { readonly benchmark: Benchmark; readonly kind: 'measured'; readonly measurement: Measurement }
  | { readonly benchmark: Benchmark; readonly kind: 'failed'; readonly why: string };

const GLANCE = '## At a glance';

/** docs/benchmarks.md, whole. */
export function writePage(machine: Machine, outcomes: readonly Outcome[], tookSeconds: number): string {
  const preface = [
    '# Benchmarks',
    'Written by `npm run bench`, whole, or by `npm run bench -- --update words` in parts: do not edit it, run that again.',
    'What is compared is timed in turns, round by round, in one run: a ratio holds on a busy machine where a time does not. p50 is the median, p99 the 99th percentile (with fewer than 100 samples the slowest); a ratio is one of medians.',
    machineTable(machine, tookSeconds),
  ];
  return compose(preface.join('\n\n'), outcomes.map(section));
}

/** The page with sections that were measured by themselves in place of what it had of them; `order` has the names of all. The others stay. */
export function updatePage(page: string, measured: readonly string[], order: readonly string[]): string {
  const [preface = '', ...old] = page.trimEnd().split(/\n\n(?=## )/);
  const byName = new Map([...old, ...measured].map((text) => [/^## (.*)$/m.exec(text)?.[1], text]));
  return compose(
    preface,
    order.flatMap((name) => byName.get(name) ?? []),
  );
}

/** A section that says when and where it was measured, since the rest of its page was not. */
export function datedSection(outcome: Outcome, { date, commit, loadAverage }: Machine): string {
  const [heading = '', ...rest] = section(outcome).split('\n\n');
  const when = `Measured by itself on ${date}, commit ${commit}, load average ${loadWords(loadAverage)}.`;
  return [heading, when, ...rest].join('\n\n');
}

function compose(preface: string, sections: readonly string[]): string {
  return `${[preface, GLANCE, summaryTable(sections), ...sections].join('\n\n')}\n`;
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
      ['load average at the start', loadWords(machine.loadAverage)],
      ['system', machine.system],
      ['Node', machine.node],
      ['container engine', machine.engine],
      ['took', `${Math.round(tookSeconds)} s`],
    ],
  );
}

/** Read out of the sections: a page can have some of another run. */
function summaryTable(sections: readonly string[]): string {
  const rows = sections.flatMap((text): string[][] => {
    if (/^Not measured: /m.test(text)) return [[/^## (.*)$/m.exec(text)?.[1] ?? '', '', '', 'not measured']];
    const verdicts = text.matchAll(/^- (.+): \*\*([^*]+)\*\*(?: \(aim: ([^;]+); (met|not met)\))?$/gm);
    return [...verdicts].map(([, what = '', value = '', aim = 'none', met = '']) => [what, value, aim, met]);
  });
  return table(['figure', 'measured', 'aim', ''], rows);
}

function loadWords(loadAverage: readonly number[]): string {
  return loadAverage.map((load) => load.toFixed(2)).join(' ');
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
