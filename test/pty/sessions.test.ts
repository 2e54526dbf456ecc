import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { giveAway } from '../support/job/job-project.ts';
import { COMMIT, PLAN, RUN_TESTS, WRITE_SOURCE, WRITE_TEST } from '../support/job/parse-config-turns.ts';
import { decide } from '../support/terminal/decide.ts';
import { replayedJob } from '../support/terminal/replayed-job.ts';
import { turn } from '../support/wire/script.ts';

const SMALL = { columns: 80, rows: 24 };

it('Esc twice goes back to an earlier message and continues in a copy from there', async () => {
  const { open } = replayedJob([turn({ text: 'The first answer.' }), turn({ text: 'The second answer.' })]);
  const terminal = open(SMALL);
  await terminal.shows(/^\[strict\] \[idle\] >$/m);
  terminal.enter('what is it');
  await terminal.shows(/The first answer[^]*^Done\.[^]*^\[strict\] \[idle\] >$/m);
  terminal.enter('and why');
  await terminal.shows(/The second answer[^]*^Done\.[^]*^\[strict\] \[idle\] >$/m);
  terminal.press('Escape', 'Escape');
  await terminal.shows(/^╭ Before which message\?/m);
  terminal.press('Up', 'Enter');
  await terminal.shows(/continue in a copy[^]*^\[strict\] \[idle\] > and why$/m);
  terminal.press('Enter');
  await terminal.shows(/The second answer[^]*The second answer[^]*^\[strict\] \[idle\] >$/m);
});

it('explore mode is locked when too much of the source has no tests, until the model has written some', async () => {
  const { project, open } = replayedJob([PLAN, WRITE_SOURCE, RUN_TESTS, COMMIT, WRITE_TEST, RUN_TESTS, COMMIT]);
  mkdirSync(join(project.root, '.fluffy'), { recursive: true });
  const baseline = { version: 1, lines: { covered: 3, total: 3 }, runner: 'node-test', languages: ['javascript'] };
  writeFileSync(join(project.root, '.fluffy/coverage-baseline.json'), JSON.stringify(baseline));
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', 'Begin a baseline');
  giveAway(project.root);
  const terminal = open(SMALL, '--mode', 'explore');
  await terminal.shows(/^\[explore\] \[idle\] >$/m);
  terminal.enter('say what is wrong');
  await terminal.shows(/Explore mode is locked[^]*50%\s+\(2 of 4 lines\)/);
  await terminal.shows(/A review waits/);
  expect(terminal.scrollback()).toMatch(/Whole source +100% \(4 of 4 lines\)/);
  await decide(terminal, '/approve', /Done\. Commit/);
});
