/**
 * Measures what fluffy promises about its speed.
 *
 *   npm run bench                 everything, and writes docs/benchmarks.md
 *   npm run bench -- fs.read …    only what has one of these words in its name; prints it and writes nothing
 *   npm run bench -- --update fs.read …    the same, and replaces these sections of docs/benchmarks.md
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import type { Benchmark } from './benchmark.ts';
import { describeMachine } from './machine.ts';
import { benchmarks } from './measured/index.ts';
import { datedSection, section, updatePage, writePage } from './page.ts';
import type { Outcome } from './page.ts';

const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/benchmarks.md');
const isUpdate = process.argv[2] === '--update';
const words = process.argv.slice(isUpdate ? 3 : 2);
const chosen = benchmarks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

if (chosen.length === 0) {
  process.stderr.write(
    `Nothing that is measured has such a name. There are: ${benchmarks.map(({ name }) => name).join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const startedMs = performance.now();
  const machine = await describeMachine(root, '/var/run/docker.sock');
  const outcomes: Outcome[] = [];
  for (const benchmark of chosen) {
    process.stderr.write(`measuring ${benchmark.name}\n`);
    const outcome = await outcomeOf(benchmark);
    outcomes.push(outcome);
    process.stdout.write(`${section(outcome)}\n\n`);
  }
  if (words.length === 0) {
    save(writePage(machine, outcomes, (performance.now() - startedMs) / 1_000));
  } else if (isUpdate) {
    const sections = outcomes.map((outcome) => datedSection(outcome, machine));
    const order = benchmarks.map(({ name }) => name);
    save(updatePage(readFileSync(page, 'utf8'), sections, order));
  }
  if (outcomes.some(({ kind }) => kind === 'failed')) process.exitCode = 1;
}

function save(text: string): void {
  writeFileSync(page, text);
  process.stderr.write(`written: ${page}\n`);
}

async function outcomeOf(benchmark: Benchmark): Promise<Outcome> {
  // Not the system's temporary directory: that may be memory, where syncing costs nothing.
  const { stateHome } = userDirs(process.env);
  mkdirSync(stateHome, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(stateHome, 'bench-'));
  try {
    return { benchmark, kind: 'measured', measurement: await benchmark.measure({ root, directory }) };
  } catch (error) {
    return { benchmark, kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
