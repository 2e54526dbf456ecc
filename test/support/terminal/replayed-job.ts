import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFluffyHome } from '../job/fluffy-home.ts';
import type { FluffyHome } from '../job/fluffy-home.ts';
import { makeJobProject } from '../job/job-project.ts';
import type { JobProject } from '../job/job-project.ts';
import type { ScriptedTurn } from '../wire/script.ts';
import { openTmuxTerminal } from './tmux-terminal.ts';
import type { TmuxTerminal } from './tmux-terminal.ts';

export interface ReplayedJob {
  readonly project: JobProject;
  readonly home: FluffyHome;
  open(size: Size, ...args: string[]): TmuxTerminal;
  /** A shell with job control, in which `fluffy` is the program; `pid` in its home has its process. */
  openShell(size: Size): TmuxTerminal;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A small project of an ordinary user's, and a model that plays these turns, for one test. */
export function replayedJob(turns: readonly (ScriptedTurn & { readonly delay_ms?: number })[]): ReplayedJob {
  const project = makeJobProject();
  const home = makeFluffyHome();
  const replay = join(home.env['HOME'] ?? '', 'model.jsonl');
  const lines = turns.map(({ text, calls: made, delay_ms }) => JSON.stringify({ text, calls: made, delay_ms }));
  writeFileSync(replay, lines.map((line) => `${line}\n`).join(''));
  const terminals: TmuxTerminal[] = [];
  onTestFinished(async () => {
    for (const terminal of terminals) terminal.close();
    await home.remove([project.root]);
    project.remove();
  });
  const run = (size: Size, command: readonly string[]): TmuxTerminal => {
    const terminal = openTmuxTerminal({ ...size, cwd: project.root, env: home.env, command });
    terminals.push(terminal);
    return terminal;
  };
  const program = [process.execPath, resolve('dist/cli.mjs'), '--model', `replay/${replay}`];
  return {
    project,
    home,
    open: (size, ...args) => run(size, [...program, ...args]),
    openShell(size) {
      const directory = home.env['HOME'] ?? '';
      const settings = join(directory, 'bashrc');
      const started = join(directory, 'fluffy.sh');
      writeFileSync(started, `echo $$ > ~/pid\nexec ${program.map((word) => `'${word}'`).join(' ')} "$@"\n`);
      writeFileSync(settings, `PS1='shell$ '\nalias fluffy='sh ${started}'\n`);
      return run(size, ['bash', '--noprofile', '--rcfile', settings, '-i']);
    },
  };
}
