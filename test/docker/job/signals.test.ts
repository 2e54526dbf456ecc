import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jobScene } from '../../support/job/job-scene.ts';
import type { HeldRun, JobScene } from '../../support/job/job-scene.ts';
import { stateDrivenModel } from '../../support/job/state-driven-model.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { calls, turn } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';

let current: JobScene | null = null;
async function scene(script: Script, env: Readonly<Record<string, string>> = {}): Promise<JobScene> {
  current = await jobScene(script, { env });
  return current;
}
afterEach(async () => {
  await current?.close();
  current = null;
});

const commitsOf = ({ project }: JobScene) => Number(project.git('rev-list', '--count', 'HEAD').trim());

interface Moment {
  readonly signal: 'SIGINT' | 'SIGTERM';
  readonly when: string;
  readonly code: number;
  reached(run: HeldRun): Promise<unknown>;
}

/** Both signals are one request to the kernel: test/cli/headless/run-headless.test.ts. So each is sent at one of the moments. */
const MOMENTS: readonly Moment[] = [
  {
    signal: 'SIGINT',
    when: 'while the model thinks',
    code: 130,
    reached: (run) => run.until((event) => event.type === 'state.changed'),
  },
  {
    signal: 'SIGTERM',
    when: 'while the tests run',
    code: 143,
    reached: (run) => run.until((event) => event.type === 'tool.started' && event.tool === 'test.run'),
  },
];

describe('a signal', () => {
  it.each(MOMENTS)(
    '$signal $when ends it in order with $code; the session goes on to its commit',
    async ({ signal, code, reached }) => {
      const s = await scene(stateDrivenModel);
      const before = snapshotTree(s.project.root);
      const held = s.start(['-p', 'Add error handling']);
      held.child.stdin.end();
      await reached(held);
      held.child.kill(signal);
      const ended = await held.exit;
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: '' });
      expect(held.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'cancelled', exit_code: code });
      expect(snapshotTree(s.project.root)).toEqual(before);

      const resumed = await s.run(['-c', '-p', 'Go on']);
      expect(resumed.events.at(-1)).toMatchObject({ status: 'committed', session_id: held.events[0]?.session_id });
      expect(resumed.events[0]?.seq).toBe(held.events.length + 1);
      expect(commitsOf(s)).toBe(2);
    },
  );
});

describe('a CLI that is gone', () => {
  it('leaves its run to the kernel, which ends it even when the supervisor rests at once', async () => {
    const slow: Script = (request) => {
      const reply = stateDrivenModel(request);
      return reply.kind === 'turn' ? { ...reply, beforeMs: 700 } : reply;
    };
    const s = await scene(slow, { FLUFFY_SUPERVISOR_IDLE_MS: '200' });
    const held = s.start(['-p', 'Add error handling']);
    held.child.stdin.end();
    await held.until((event) => event.type === 'state.changed');
    held.child.kill('SIGKILL');
    await held.exit;
    // The commit is in the repository before the kernel has written that the run has ended.
    const shows = async (): Promise<void> => {
      const shown = await s.home.run(['session', 'show', '--json'], { cwd: s.project.root });
      expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'committed', commits: [expect.any(String)] });
    };
    await vi.waitFor(shows, { timeout: 150_000, interval: 250 });
    expect(commitsOf(s)).toBe(2);
  });
});

describe('a reader that is gone', () => {
  it('neither hangs nor crashes the run', async () => {
    const s = await scene([
      calls({ tool: 'fs.list', input: { path: '.' } }),
      turn({ text: 'word '.repeat(50_000), chunkLength: 500 }),
    ]);
    const args = ['-p', 'x', '--output-format', 'stream-json', '--model', 'anthropic/claude-test'];
    const script = '"$0" "$@" | head -n 1; echo "${PIPESTATUS[0]}"';
    const shell = spawn('bash', ['-c', script, process.execPath, resolve('dist/cli.mjs'), ...args], {
      cwd: s.project.root,
      env: s.home.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    await new Promise((done) => shell.on('close', done));
    const [first, code] = output.trimEnd().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ type: 'session.started' });
    expect(code).toBe('1');
    expect(errors).toMatch(/^ERROR: The output could not be written completely\nReason: .*EPIPE.*\nFix: .*\n$/);
  });
});
