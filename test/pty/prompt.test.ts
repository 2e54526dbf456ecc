import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, it, expect } from 'vitest';
import { makeFluffyHome } from '../support/job/fluffy-home.ts';
import type { FluffyHome } from '../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../support/job/job-project.ts';
import type { JobProject } from '../support/job/job-project.ts';
import { decide } from '../support/terminal/decide.ts';
import { openTmuxTerminal } from '../support/terminal/tmux-terminal.ts';
import type { TmuxTerminal } from '../support/terminal/tmux-terminal.ts';

const PROMPT = /^\[strict\] \[idle\] >$/m;

interface Scene {
  readonly project: JobProject;
  readonly home: FluffyHome;
  readonly terminal: TmuxTerminal;
  /** Of one that waits. */
  readonly begin: () => void;
}

/** For `--import`: the calendar goes back by a second each second. The screen has a clock of its own. */
const CALENDAR_GOES_BACK = `data:text/javascript,const{now}=Date,from=now();Date.now=()=>2*from-now()`;

const scenes: Scene[] = [];
afterEach(async () => {
  for (const { project, home, terminal } of scenes.splice(0)) {
    terminal.close();
    await home.remove([project.root]);
    project.remove();
  }
});

interface SceneOptions {
  readonly columns: number;
  readonly rows: number;
  readonly answers?: readonly string[];
  /** A named pipe is read to its end before fluffy begins, as programs are bundled then. */
  readonly waits?: boolean;
  /** Of node. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A project with a command of its own, and a model that answers. */
function scene({
  answers = ['It reads a configuration.'],
  waits = false,
  flags = [],
  env = {},
  ...size
}: SceneOptions): Scene {
  const project = makeJobProject();
  const folder = join(project.root, '.fluffy/commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'explain.md'),
    '---\ndescription: explain a file\nargument-hint: file\n---\nExplain $1.\n',
  );
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'Add a command');
  giveAway(project.root);
  const home = makeFluffyHome();
  const replay = join(home.env['HOME'] ?? '', 'model.jsonl');
  writeFileSync(replay, answers.map((text) => `${JSON.stringify({ text })}\n`).join(''));
  const pipe = join(home.env['HOME'] ?? '', 'pipe');
  execFileSync('mkfifo', [pipe]);
  const held = waits ? ['sh', '-c', 'echo bundling; cat "$0" >/dev/null; exec "$@"', pipe] : [];
  const command = [...held, process.execPath, ...flags, resolve('dist/cli.mjs'), '--model', `replay/${replay}`];
  const terminal = openTmuxTerminal({ ...size, cwd: project.root, env: { ...home.env, ...env }, command });
  const made = { project, home, terminal, begin: () => writeFileSync(pipe, '') };
  scenes.push(made);
  return made;
}

describe.each([
  { columns: 80, rows: 24 },
  { columns: 40, rows: 20 },
])('what a person types, in a terminal of $columns x $rows', (size) => {
  it('is a command of the project, a note that is committed, undone and made again, and keys of vi', async () => {
    const { project, terminal } = scene({ ...size, flags: ['--import', CALENDAR_GOES_BACK] });
    await terminal.shows(PROMPT);
    terminal.enter('/expl src/a.js');
    await terminal.shows(/Did you mean/);
    terminal.press('C-u');
    terminal.enter('/explain src/parse-config.js');
    await terminal.shows(/else\s+is\s+a\s+no/);
    expect(terminal.scrollback()).toContain('Explain $1.');
    terminal.enter('y');
    await terminal.shows(/^Done\./m);

    terminal.enter('#Tests need no network');
    await terminal.shows(/A review waits/);
    expect(terminal.scrollback()).toMatch(/\+ ?┊? ?- Tests need no network|Tests need no network/);
    await terminal.shows(/^\[strict\] \[reviewing\] >$/m);
    await decide(terminal, '/approve', /Done\. Commit/);
    expect(readFileSync(join(project.root, 'AGENTS.md'), 'utf8')).toBe('- Tests need no network\n');
    const commit = project.git('rev-parse', 'HEAD').trim();

    terminal.enter('/undo');
    await terminal.shows(/is\s+undone/);
    expect(project.git('rev-parse', 'HEAD').trim()).not.toBe(commit);
    terminal.enter('/redo');
    await terminal.shows(/was\s+made\s+again/);
    expect(project.git('rev-parse', 'HEAD').trim()).toBe(commit);
    expect(project.git('status', '--porcelain')).toBe('');

    terminal.enter('/vim');
    await terminal.shows(/^ *INSERT/m);
    terminal.type('one two');
    terminal.press('Escape');
    await terminal.shows(/^ *NORMAL/m);
    terminal.type('0dw');
    await terminal.shows(/^\[strict\] \[idle\] > two$/m);
  });
});

it('what is entered before fluffy reads the terminal are messages of their own', async () => {
  const { terminal, begin } = scene({
    columns: 80,
    rows: 24,
    answers: ['The first answer.', 'The second answer.'],
    waits: true,
  });
  await terminal.shows(/bundling/);
  terminal.enter('what is it');
  terminal.enter('and why');
  terminal.type('not yet');
  begin();
  await terminal.shows(/The second answer/);
  await terminal.shows(/^\[strict\] \[\w+\] > not yet$/m);
  expect(terminal.scrollback().match(/^ *> (?:what is it|and why)$/gm)).toHaveLength(2);
});

it('keys of the kitty protocol are read where the terminal answers, and every other program has the terminal without it', async () => {
  const editor = `sh -c 'printf "in the editor"; read -r _; printf " and more" >> "$1"' editor`;
  const { terminal } = scene({ columns: 80, rows: 24, env: { EDITOR: editor } });
  await terminal.shows(PROMPT);
  expect(terminal.bytes()).toContain('\x1b[?u');
  expect(terminal.bytes()).not.toMatch(/\x1b\[>\d*u/);
  terminal.report('\x1b[?0u\x1b[?1004;1$y');
  terminal.report('one\x1b[13;2utwo\x1b[97;5uX\x1b[I\x1b[O');
  await terminal.shows(/> one\n *Xtwo$/m);
  expect(modesOf(terminal)).toEqual(['focus on', 'keys on']);

  terminal.report('\x1b[103;5u');
  await terminal.shows(/in the editor/);
  expect(modesOf(terminal).slice(2)).toEqual(['focus off', 'keys off']);
  terminal.press('Enter');
  await terminal.shows(/Xtwo and more$/m);
  expect(modesOf(terminal).slice(4)).toEqual(['focus on', 'keys on']);

  terminal.report('\x1b[99;5u\x1b[99;5u');
  await terminal.ended();
  expect(modesOf(terminal).slice(6)).toEqual(['focus off', 'keys off']);
  expect(terminal.screen()).not.toMatch(/\^\[|;\du/);
});

function modesOf(terminal: TmuxTerminal): string[] {
  const names: Readonly<Record<string, string>> = {
    '?1004h': 'focus on',
    '?1004l': 'focus off',
    '>5u': 'keys on',
    '<u': 'keys off',
  };
  return [...terminal.bytes().matchAll(/\x1b\[(\?1004[hl]|>5u|<u)/g)].map(([, mode = '']) => names[mode] ?? mode);
}
