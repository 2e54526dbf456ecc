import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { resolve } from 'node:path';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { startAnthropicServer } from '../wire/anthropic-server.ts';
import type { Script } from '../wire/script.ts';
import type { WireServer } from '../wire/wire-server.ts';
import { makeFluffyHome } from './fluffy-home.ts';
import type { FluffyHome, RunOptions, RunResult } from './fluffy-home.ts';
import { makeJobProject } from './job-project.ts';
import type { JobProject } from './job-project.ts';

/** A project, a home and a scripted model that belong together. */
export interface JobScene {
  readonly project: JobProject;
  readonly home: FluffyHome;
  readonly model: WireServer;
  /** A headless run in the project: stream-json unless another format is named. */
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** The CLI as a process that the test can write to, signal and kill. Its standard input is at its end, unless the test wants to write to it. */
  start(args: readonly string[], options?: { readonly openInput?: boolean }): HeldRun;
  close(): Promise<void>;
}

export interface HeldRun {
  readonly child: ChildProcessWithoutNullStreams;
  readonly events: FluffyEvent[];
  readonly exit: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Resolves at the first event, past or to come, that fits; rejects when the process ends without. */
  until(fits: (event: FluffyEvent) => boolean): Promise<FluffyEvent>;
}

const MODEL = ['--model', 'anthropic/claude-test'];

export async function jobScene(
  script: Script,
  parts: {
    readonly project?: JobProject;
    readonly env?: Readonly<Record<string, string>>;
    /** Text of the user's config.yaml. */
    readonly config?: string;
  } = {},
): Promise<JobScene> {
  const project = parts.project ?? makeJobProject();
  const model = await startAnthropicServer(script);
  const ofModel = { FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' };
  const home = makeFluffyHome({ ...ofModel, ...parts.env }, parts.config);
  const whole = (args: readonly string[]) => [
    ...MODEL,
    ...(args.includes('--output-format') ? [] : ['--output-format', 'stream-json']),
    ...args,
  ];
  const held: HeldRun[] = [];
  return {
    project,
    home,
    model,
    run: (args, options) => home.run(whole(args), { cwd: project.root, ...options }),
    start: (args, { openInput = false } = {}) => {
      const run = hold(whole(args), project.root, home.env);
      if (!openInput) run.child.stdin.end();
      held.push(run);
      return run;
    },
    close: async () => {
      for (const { child } of held) child.kill('SIGKILL');
      await home.remove([project.root]);
      await model.close();
      project.remove();
    },
  };
}

function hold(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): HeldRun {
  const child = spawn(process.execPath, [resolve('dist/cli.mjs'), ...args], { cwd, env, stdio: 'pipe' });
  const events: FluffyEvent[] = [];
  const waiting = new Set<() => void>();
  let stdout = '';
  let stderr = '';
  let rest = '';
  let over = false;
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{"')) events.push(JSON.parse(line) as FluffyEvent);
    for (const look of waiting) look();
  });
  const exit = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.on('close', (code) => {
      over = true;
      for (const look of waiting) look();
      done({ code, stdout, stderr });
    });
  });
  const until = (fits: (event: FluffyEvent) => boolean) =>
    new Promise<FluffyEvent>((found, failed) => {
      const look = () => {
        const event = events.find(fits);
        if (event !== undefined) found(event);
        else if (over) failed(new Error(`ended without that event: ${stderr}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return { child, events, exit, until };
}
