import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { projectDirs, userDirs } from '../../contracts/host-layout.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { BaseChoice } from '../../host/images/base-image.ts';
import { consentFrom } from '../../host/setup/consent.ts';
import { ensureSetup } from '../../host/setup/ensure-setup.ts';
import { realMachine } from '../../host/setup/machine.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import type { CliServices } from '../command-line/cli-command.ts';
import { makeDemoProject } from './demo-project.ts';
import { DEMO_TASK, DEMO_TURNS } from './demo-turns.ts';
import { after } from '../run-task.ts';
import { runHeadless } from '../headless/run-headless.ts';
import { REPOSITORY_ROOT } from '../open-project.ts';
import { stopSupervisor } from '../supervisor/client/stop-supervisor.ts';
import { projectIdOf } from '../supervisor/instance.ts';
import { verifyCommand } from '../audit/audit-commands.ts';

/** `fluffy demo`: sets up what is missing, plays a whole strict-mode task through real containers, and shows the proof. */
export async function demoCommand(
  command: { readonly yes: boolean; readonly base: BaseChoice | undefined; readonly keep: boolean },
  services: CliServices,
): Promise<ExitCode> {
  const { env, output } = services;
  const say = (line: string) => output.stderr(`${line}\n`);
  const user = userDirs(env);
  await ensureSetup({
    env,
    machine: realMachine(readHostSystem(env['PATH']), env['PATH']),
    stateHome: user.stateHome,
    repoRoot: REPOSITORY_ROOT,
    consent: consentFrom({ yes: command.yes, env, interactive: process.stdin.isTTY && process.stderr.isTTY }),
    onProgress: (line) => say(`  ${line}`),
    ...(command.base === undefined ? {} : { base: command.base }),
  });
  const { root } = await makeDemoProject();
  const scratch = await mkdtemp(join(tmpdir(), 'fluffy-demo-replay-'));
  try {
    say(`A small project was made in ${root}`);
    say(`$ fluffy -p ${JSON.stringify(DEMO_TASK)}\n`);
    const code = await play(root, scratch, services);
    if (code !== EXIT.done) return code;
    await showProof(root, services);
    return EXIT.done;
  } finally {
    await stopSupervisor(projectDirs(user, root, projectIdOf(root)));
    await rm(scratch, { recursive: true, force: true });
    if (!command.keep) {
      await rm(root, { recursive: true, force: true });
      await rm(join(user.stateHome, 'projects', projectIdOf(root)), { recursive: true, force: true });
    } else say(`The project is kept in ${root}`);
  }
}

async function play(root: string, scratch: string, { env, output, signals, connect }: CliServices): Promise<ExitCode> {
  const replay = join(scratch, 'demo.jsonl');
  await writeFile(replay, DEMO_TURNS.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return runHeadless({
    args: {
      task: DEMO_TASK,
      print: true,
      outputFormat: 'text',
      inputFormat: 'text',
      mode: 'strict',
      model: `replay/${replay}`,
      baseUrl: undefined,
      approve: 'auto',
      limits: {},
      resume: null,
      project: root,
      allowRoot: false,
      verbose: false,
      screenReader: false,
    },
    env,
    output,
    // The demo takes no input: its standard input may be a pipe that is never closed.
    stdin: Object.assign(process.stdin, { isTTY: true }),
    signals: signals(),
    nowMs: Date.now,
    after,
    connect,
  });
}

async function showProof(root: string, services: CliServices): Promise<void> {
  const { env, output } = services;
  // Without optional locks, git status does not change the project's index.
  const git = async (...args: string[]) => {
    const options = { cwd: root, extendEnv: false, env: { PATH: env['PATH'], HOME: root } };
    const { stdout } = await execa('git', ['--no-optional-locks', '-c', 'safe.directory=*', ...args], options);
    return stdout;
  };
  output.stdout('\n$ git log -1 --stat\n');
  output.stdout(`${escapeTerminal(await git('log', '-1', '--stat', '--no-color'), { multiline: true })}\n`);
  output.stdout('$ git status --short\n');
  output.stdout(`${await git('status', '--short')}(clean)\n\n`);
  const usual = { project: root, allowRoot: false, json: false, anchors: undefined, keys: [], require: [] };
  output.stdout('$ fluffy audit verify\n');
  await verifyCommand({ ...usual, range: undefined }, services);
  output.stdout('\n$ fluffy audit verify --range HEAD~1..HEAD\n');
  await verifyCommand({ ...usual, range: 'HEAD~1..HEAD' }, services);
}
