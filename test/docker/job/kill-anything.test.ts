import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { rounds, seededRandom } from '../../seeded-random.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { LABELS } from '../../../src/contracts/sandbox/guard-api.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { stateDrivenModel } from '../../support/job/state-driven-model.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';

/**
 * A strict run has about 36 events. In `npm test` each victim is struck once in the first half of them (before the source is written) and once in the
 * second (green, review, merge), at seeded moments; `npm run soak` strikes 200 times. The sample is enough because every single step of a merge and of
 * recovery is cut off by itself in `test/kernel/commit/all-or-nothing.test.ts` and `kill.test.ts`, and every write of the database in
 * `test/platform/sqlite/hard-faults.test.ts`: what is left for containers is that the parts find each other again.
 */
const RUNS = rounds(6, 200);
const EVENTS = 36;
const VICTIMS = ['kernel', 'sandbox', 'cli'] as const;
type Victim = (typeof VICTIMS)[number];

interface Strike {
  readonly victim: Victim;
  /** After each of these numbers of events of the run. */
  readonly after: readonly number[];
}

/** The kernel is killed before the task has reached it, and twice in one run. */
const MORE_STRIKES: readonly Strike[] = [
  { victim: 'kernel', after: [1] },
  { victim: 'kernel', after: [7, 23] },
];

/** Seeded, so that a failure can be played again. Victims take turns, and so do the halves of the run. */
function strikes(seed: number, count: number): Strike[] {
  const next = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const half = Math.floor(index / VICTIMS.length) % 2;
    return {
      victim: VICTIMS[index % VICTIMS.length] as Victim,
      after: [2 + Math.floor(((half + next()) * (EVENTS - 2)) / 2)],
    };
  });
}

function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function containersOf(root: string, role?: string): string[] {
  const filters = [
    '--filter',
    `label=${LABELS.project}=${projectIdOf(root)}`,
    ...(role === undefined ? [] : ['--filter', `label=${LABELS.role}=${role}`]),
  ];
  return docker('ps', '--all', '--quiet', '--no-trunc', ...filters)
    .split('\n')
    .filter((id) => id !== '');
}

function volumesOf(root: string): string[] {
  return docker('volume', 'ls', '--quiet', '--filter', `label=${LABELS.project}=${projectIdOf(root)}`)
    .split('\n')
    .filter((name) => name !== '');
}

function strike(victim: Victim, root: string, killCli: (signal: NodeJS.Signals) => void): void {
  if (victim === 'cli') {
    killCli('SIGKILL');
    return;
  }
  const kernels = containersOf(root, 'kernel');
  const others = containersOf(root).filter((id) => !kernels.includes(id));
  for (const id of victim === 'kernel' ? kernels : others) {
    try {
      docker('kill', id);
    } catch {
      // It was gone already: nothing to kill at that moment.
    }
  }
}

let cleanUp: (() => Promise<void>) | null = null;
afterEach(async () => {
  await cleanUp?.();
  cleanUp = null;
});

async function runToTheEnd(home: FluffyHome, project: JobProject, { victim, after }: Strike): Promise<RunResult> {
  const args = ['--output-format', 'stream-json', '--model', 'anthropic/claude-test'];
  let seen = 0;
  const onEvent = (_: FluffyEvent, kill: (signal: NodeJS.Signals) => void) => {
    seen += 1;
    if (after.includes(seen)) strike(victim, project.root, kill);
  };
  let result = await home.run(['-p', 'Add error handling', ...args], { cwd: project.root, onEvent });
  if (victim === 'kernel') expectUnbroken(result);
  for (let again = 0; again < 3 && !isCommitted(result); again += 1) {
    result = await home.run(['-c', '-p', 'Go on', ...args], { cwd: project.root });
  }
  return result;
}

/** A run outlives its kernel: one invocation, one message, one stream of events. */
function expectUnbroken({ code, events, stderr }: RunResult): void {
  expect({ code, last: events.at(-1), stderr }).toMatchObject({ code: 0, last: { status: 'committed' } });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === 'message.user')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'session.finished')).toHaveLength(1);
}

function isCommitted(result: RunResult): boolean {
  const last = result.events.at(-1);
  return last?.type === 'session.finished' && (last.status === 'committed' || last.status === 'done');
}

describe('kill -9 of kernel, sandbox or CLI at any moment', () => {
  it.each([...strikes(20261121, RUNS), ...MORE_STRIKES])('loses nothing: $victim after $after events', async (each) => {
    const project = makeJobProject();
    const model = await startAnthropicServer(stateDrivenModel);
    const home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
    cleanUp = async () => {
      await home.remove([project.root]);
      await model.close();
      project.remove();
    };
    const before = snapshotTree(project.root);
    const result = await runToTheEnd(home, project, each);

    const commits = Number(project.git('rev-list', '--count', 'HEAD').trim());
    expect([1, 2]).toContain(commits);
    if (commits === 1) expect(snapshotTree(project.root)).toEqual(before);
    expect({ committed: isCommitted(result), last: result.events.at(-1), stderr: result.stderr }).toMatchObject({
      committed: true,
    });
    expect(commits).toBe(2);
    expect(project.git('status', '--porcelain')).toBe('');
    project.git('fsck', '--strict');

    const verdict = await home.run(['audit', 'verify', '--json'], { cwd: project.root });
    expect({ code: verdict.code, out: verdict.stdout }).toMatchObject({ code: 0 });

    const { stopSupervisor } = await import('../../../src/cli/supervisor/stop-supervisor.ts');
    const { projectDirs, userDirs } = await import('../../../src/contracts/host-layout.ts');
    await stopSupervisor(projectDirs(userDirs(home.env), project.root, projectIdOf(project.root)));
    expect(containersOf(project.root)).toEqual([]);
    expect(volumesOf(project.root)).toEqual([]);
    expect(execFileSync('cat', ['/proc/mounts'], { encoding: 'utf8' })).not.toContain(
      project.root.replaceAll(' ', '\\040'),
    );
  });
});
