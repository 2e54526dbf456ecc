import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { connectKernel } from '../../../src/cli/connect-kernel.ts';
import { KernelClient } from '../../../src/cli/kernel-client/kernel-client.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import type { CommandProcess } from '../../../src/cli/run-command.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import type { ProjectDirs } from '../../../src/contracts/host-layout.ts';
import type { ProviderSandbox } from '../../../src/contracts/ports/sandboxes.ts';
import type { Commits } from '../../../src/kernel/services.ts';
import { PARSE_CONFIG_FILES, giveAway, makeJobProject } from '../job/job-project.ts';
import type { JobProject } from '../job/job-project.ts';
import type { FakeTestRunner } from '../kernel/fake-sandboxes.ts';
import { nodeTestReports } from '../kernel/node-test-report.ts';
import type { Cases } from '../kernel/node-test-report.ts';
import type { ModelScript, ScriptedModel } from '../kernel/scripted-model.ts';
import { serveKernel } from '../kernel/served-kernel.ts';
import type { ServedKernel } from '../kernel/served-kernel.ts';

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of `--output-format stream-json`. */
  readonly events: readonly FluffyEvent[];
}

/** A command line that runs in this process. */
export interface RunningCli {
  readonly stdin: PassThrough;
  readonly result: Promise<CliResult>;
  readonly events: readonly FluffyEvent[];
  /** Sends SIGINT or SIGTERM, as far as the command can see. */
  signal(name: 'interrupt' | 'terminate'): void;
  /** Resolves when this has been written to standard error. */
  said(text: string): Promise<void>;
  /** Resolves at the first event, past or to come, that fits. */
  until(fits: (event: FluffyEvent) => boolean): Promise<FluffyEvent>;
}

export interface CliScene {
  readonly project: JobProject;
  readonly env: Readonly<Record<string, string>>;
  readonly dirs: ProjectDirs;
  readonly model: ScriptedModel;
  /** The project as it was at first, and a model that plays this script. */
  begin(script: ModelScript): void;
  /** Any command line, to its end. */
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** A headless run: stream-json unless another format is named. */
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  start(args: readonly string[], options?: CliOptions): RunningCli;
  close(): Promise<void>;
}

export interface CliOptions {
  /** null: it stays open, and the test writes to it. Default: empty. */
  readonly stdin?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** Words behind `--`. */
  readonly after?: readonly string[];
  /** Code of the error that every write to standard output fails with. */
  readonly brokenOutput?: string;
}

export interface CliSceneParts {
  readonly commits?: Partial<Commits>;
  /** In the place of the scripted model. */
  readonly chat?: ProviderSandbox['chat'];
  readonly files?: Readonly<Record<string, string>>;
  /** In the place of the runner of the project's tests. */
  readonly runTests?: FakeTestRunner;
  /** Run on the kernel's database once it is open. */
  readonly sql?: string;
}

const HEADLESS = ['--model', 'anthropic/claude-test'];

/**
 * The command line in this process, from its arguments to its exit code, with a kernel in memory behind it. Project, home, database, session protocol
 * and signed approvals are real; workspaces, sandboxes, model and the process's streams are not. It starts in milliseconds where a container takes
 * seconds.
 */
export async function cliScene({ files = PARSE_CONFIG_FILES, ...parts }: CliSceneParts = {}): Promise<CliScene> {
  const project = makeJobProject(files);
  const first = project.git('rev-parse', 'HEAD').trim();
  const home = mkdtempSync(join(tmpdir(), 'fluffy-cli-'));
  const env = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_API_KEY: 'sk-ant-test',
  };
  const dirs = projectDirs(userDirs(env), project.root, projectIdOf(project.root));
  const kernel = await serveKernel({ project, dirs, files, runTests, ...parts });
  const start: CliScene['start'] = (args, options = {}) =>
    startCli(
      [...args, '--project', project.root, ...(options.after === undefined ? [] : ['--', ...options.after])],
      { ...options, env: { ...env, ...options.env } },
      connectTo(kernel),
    );
  const headless = (args: readonly string[]) => [
    ...HEADLESS,
    ...(args.includes('--output-format') ? [] : ['--output-format', 'stream-json']),
    ...args,
  ];
  return {
    project,
    env,
    dirs,
    model: kernel.model,
    begin: (script) => {
      project.git('reset', '--quiet', '--hard', first);
      giveAway(project.root);
      kernel.restart(files);
      kernel.model.play(script);
    },
    cli: (args, options) => start(args, options).result,
    run: (args, options) => start(headless(args), options).result,
    start: (args, options) => start(headless(args), options),
    close: async () => {
      await kernel.close();
      rmSync(home, { recursive: true, force: true });
      project.remove();
      if (kernel.faults.length > 0) throw new AggregateError(kernel.faults, 'the kernel met what nobody foresaw');
    },
  };
}

function connectTo(kernel: ServedKernel): typeof connectKernel {
  return async (_opened, { onEvent }) => {
    const givenUp = new Promise<never>(() => undefined);
    const { socket } = kernel;
    const client = await KernelClient.connect({ socket, onEvent, onReconnect: () => undefined, givenUp });
    return { client, givenUp, close: () => client.close() };
  };
}

/** Runs one command line as `main.ts` does, on streams of the test. */
export function startCli(
  args: readonly string[],
  { stdin: input = '', env = {}, brokenOutput }: CliOptions,
  connect: CommandProcess['connect'],
): RunningCli {
  const stdin = new PassThrough();
  if (input !== null) stdin.end(input);
  const text = { stdout: '', stderr: '' };
  const events: FluffyEvent[] = [];
  const waiting = new Set<() => void>();
  const collect = (to: 'stdout' | 'stderr') => {
    const stream = new PassThrough();
    let rest = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text[to] += chunk;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (to === 'stdout')
        for (const line of lines) if (line.startsWith('{"')) events.push(JSON.parse(line) as FluffyEvent);
      for (const look of waiting) look();
    });
    return stream;
  };
  let early: 'interrupt' | 'terminate' | null = null;
  let handler: (name: 'interrupt' | 'terminate') => void = (name) => (early = name);
  const running = runCommand(args, '0.0.0', {
    env,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: brokenOutput === undefined ? collect('stdout') : failing(brokenOutput),
    stderr: collect('stderr'),
    signals: () => ({
      onSignal: (next) => {
        handler = next;
        if (early !== null) next(early);
      },
    }),
    connect,
  });
  let over = false;
  const result = running.then((code) => {
    over = true;
    for (const look of waiting) look();
    return { code, ...text, events };
  });
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found !== undefined) resolve(found);
        else if (over) reject(new Error(`it ended without: ${text.stderr}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return {
    stdin,
    result,
    events,
    signal: (name) => handler(name),
    said: async (words) => void (await when(() => (text.stderr.includes(words) ? true : undefined))),
    until: (fits) => when(() => events.find(fits)),
  };
}

/** A stream that takes nothing. */
function failing(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
}

/** A case of `STRAIGHT`: its name, and the words that it expects in the source. */
const CASE = /^;?test\('([^']+)', .*\/([^/]+)\/\)/gm;

/** The new test of `STRAIGHT`, and each copy of it, passes with its new source; the old one where the source returns what it has read. */
const runTests: FakeTestRunner = (run) =>
  nodeTestReports(run, (path): Cases => {
    const source = run.files.get('src/parse-config.js')?.text ?? '';
    if (!path.endsWith('bad-config.test.js')) return { 'reads JSON': /return JSON\.parse\(text\);/.test(source) };
    const written = run.files.get(path)?.text.matchAll(CASE) ?? [];
    return Object.fromEntries([...written].map(([, name = '', words = '']) => [name, source.includes(words)]));
  });
