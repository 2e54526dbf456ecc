/**
 * Draws docs/pictures/*.svg from the real program: a strict task in a terminal, its review, and the proof of its commit.
 *
 *   npm run pictures
 *
 * Needs what `npm test` has set up: a running engine, built images and bundles, tmux.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFluffyHome } from '../../test/support/job/fluffy-home.ts';
import { makeJobProject } from '../../test/support/job/job-project.ts';
import { COMMIT, PLAN, RUN_TESTS, WRITE_SOURCE, WRITE_TEST } from '../../test/support/job/parse-config-turns.ts';
import { openTmuxTerminal } from '../../test/support/terminal/tmux-terminal.ts';
import type { TmuxTerminal } from '../../test/support/terminal/tmux-terminal.ts';
import { turn } from '../../test/support/wire/script.ts';
import type { ScriptedTurn } from '../../test/support/wire/script.ts';
import { ansiRuns } from './ansi-runs.ts';
import { screenSvg } from './screen-svg.ts';

const COLUMNS = 104;
/** The lines of a proof are not broken where a terminal is wide enough. */
const PROOF_COLUMNS = 126;
const PICTURES = resolve(import.meta.dirname, '../../docs/pictures');
const TASK = 'Say what is wrong with a bad configuration';

const said = (text: string, { calls }: ScriptedTurn): ScriptedTurn => turn({ text: `${text}\n`, calls });
const TURNS: readonly ScriptedTurn[] = [
  said('`parseConfig` passes on what **JSON.parse** throws. I plan a test first.', PLAN),
  WRITE_TEST,
  RUN_TESTS,
  said('The test fails because the behaviour is missing. Now the source.', WRITE_SOURCE),
  RUN_TESTS,
  said('All tests pass.', COMMIT),
];

const project = makeJobProject(undefined, 'configuration');
const home = makeFluffyHome();
const terminals: TmuxTerminal[] = [];

function open(columns: number, rows: number, ...args: readonly string[]): TmuxTerminal {
  const terminal = openTmuxTerminal({
    columns,
    rows,
    cwd: project.root,
    env: { ...home.env, COLORTERM: 'truecolor' },
    command: [process.execPath, resolve('dist/cli.mjs'), ...args],
  });
  terminals.push(terminal);
  return terminal;
}

interface Part {
  readonly title: string;
  readonly columns?: number;
  /** The first row that is shown. */
  readonly from?: RegExp;
  /** The first row behind them that is not. */
  readonly until?: RegExp;
}

function picture(name: string, terminal: TmuxTerminal, { title, columns = COLUMNS, from, until }: Part): void {
  const plain = terminal.screen().split('\n');
  const rowOf = (pattern: RegExp | undefined, without: number): number => {
    const row = pattern === undefined ? -1 : plain.findIndex((text) => pattern.test(text));
    return row === -1 ? without : row;
  };
  const rows = ansiRuns(terminal.coloured()).slice(rowOf(from, 0), rowOf(until, plain.length));
  while (rows.at(-1)?.every(({ text }) => text.trim() === '') === true) rows.pop();
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, `${name}.svg`), screenSvg(rows, columns, title));
  process.stdout.write(`docs/pictures/${name}.svg\n`);
}

try {
  const replay = join(home.env['HOME'] ?? '', 'model.jsonl');
  writeFileSync(replay, TURNS.map(({ text, calls }) => `${JSON.stringify({ text, calls })}\n`).join(''));
  const session = open(COLUMNS, 120, '--model', `replay/${replay}`, '--approve', 'ask', TASK);
  await session.shows(/A review waits/);
  picture('task', session, {
    title: 'A strict task in a terminal: the test first, then the source',
    until: /^╭ Review/,
  });
  picture('review', session, { title: 'The review of a change', from: /^╭ Review/ });
  // Faster than a person, the screen says that the review has only just been drawn.
  session.enter('/approve');
  await session.shows(/✓ Approved by you|only just been drawn/);
  if (!/✓ Approved by you/.test(session.scrollback())) session.press('Enter');
  await session.shows(/^Done\. Commit /m);
  session.enter('/quit');
  await session.ended();
  const proof = open(PROOF_COLUMNS, 40, 'audit', 'verify', '--range', 'HEAD~1..HEAD');
  await proof.ended();
  picture('proof', proof, { title: 'The proof of a commit, verified', columns: PROOF_COLUMNS });
} finally {
  for (const terminal of terminals) terminal.close();
  await home.remove([project.root]);
  project.remove();
}
