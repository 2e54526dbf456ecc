import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { containersOf, volumesOf } from '../../support/job/engine-objects.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { stateDrivenModel } from '../../support/job/state-driven-model.ts';
import { killSupervisors, round, sampleRounds, soakRounds, strike } from '../../support/job/strikes.ts';
import type { Round } from '../../support/job/strikes.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';

/**
 * `npm test` strikes each victim once in a run, the kernel in both halves of it, before the task has reached it, and twice. `npm run soak` strikes 300 times
 * (FLUFFY_STRIKES) at moments that follow from FLUFFY_SEED; `-t 'round 7:'` plays one round again, FLUFFY_ROUND begins at a later one. The sample is
 * enough because every step of a merge and of recovery is cut off by itself in `test/kernel/commit/all-or-nothing.test.ts` and `kill.test.ts`, and every
 * write of the database in `test/platform/sqlite/hard-faults.test.ts`: what is left for containers is that the parts find each other again.
 */
const IS_SOAK = process.env['FLUFFY_SOAK'] === '1';
const SEED = numberOf('FLUFFY_SEED', 20261121);
const ROUNDS: readonly Round[] = IS_SOAK
  ? soakRounds(SEED, numberOf('FLUFFY_STRIKES', 300), numberOf('FLUFFY_ROUND', 1))
  : [
      ...sampleRounds(SEED),
      round([{ victim: 'kernel', after: 1, delayMs: 0 }]),
      round([7, 16].map((after) => ({ victim: 'kernel' as const, after, delayMs: 0 }))),
    ];
const RUN_TIMEOUT_MS = 400_000;
const MODEL = ['--output-format', 'stream-json', '--model', 'anthropic/claude-test'];

/** Written to disk before they are shown: a text or a progress only streams by, and the CLI itself says how a run ended. */
const ON_DISK_FIRST: ReadonlySet<FluffyEvent['type']> = new Set([
  'session.started',
  'message.user',
  'state.changed',
  'test.finished',
  'proof.finished',
  'review.requested',
  'review.decided',
]);

function numberOf(name: string, otherwise: number): number {
  return Number(process.env[name] ?? otherwise);
}

/** Of one task, from the first invocation to the one that committed. */
class StruckRun {
  /** What every invocation showed. */
  readonly shown: FluffyEvent[] = [];
  /** What was neither as before nor as committed while the model was asked, when no merge can be under way. */
  readonly halfMerged: string[] = [];
  readonly struck: string[] = [];
  /** How each invocation ended. */
  readonly ended: unknown[] = [];
  readonly project = makeJobProject();
  readonly before = snapshotTree(this.project.root);
  readonly #home: FluffyHome;
  readonly #strikes: Round['strikes'];
  #events = 0;
  #last = 0;

  constructor(home: FluffyHome, { strikes }: Round) {
    this.#home = home;
    this.#strikes = strikes;
  }

  get commits(): number {
    return Number(this.project.git('rev-list', '--count', 'HEAD').trim());
  }

  async toTheEnd(): Promise<RunResult> {
    let result = await this.#invoke(['-p', 'Add error handling']);
    const isKernelAlone = this.#strikes.every(({ victim }) => victim === 'kernel');
    if (isKernelAlone) expectUnbroken(result);
    for (let again = 0; again < 3 + this.#strikes.length && !isCommitted(result); again += 1)
      result = await this.#invoke(['-c', '-p', 'Go on']);
    return result;
  }

  readonly model: typeof stateDrivenModel = (request) => {
    const isWhole = this.commits === 1 ? sameTree(this.project, this.before) : isClean(this.project);
    if (!isWhole) this.halfMerged.push(`in ${request.state}: ${this.project.git('status', '--porcelain')}`);
    return stateDrivenModel(request);
  };

  async #invoke(args: readonly string[]): Promise<RunResult> {
    const pending: Promise<void>[] = [];
    const result = await this.#home.run([...args, ...MODEL], {
      cwd: this.project.root,
      timeoutMs: RUN_TIMEOUT_MS,
      onEvent: (_, kill) => {
        this.#events += 1;
        const next = this.#strikes[this.struck.length];
        if (next === undefined || this.#events - this.#last < next.after) return;
        this.#last = this.#events;
        this.struck.push(`${next.victim} after ${this.#events} events`);
        const killCli = (): void => kill('SIGKILL');
        if (next.delayMs === 0) strike(next.victim, this.project.root, killCli);
        else pending.push(setTimeout(next.delayMs).then(() => strike(next.victim, this.project.root, killCli)));
      },
    });
    await Promise.all(pending);
    this.shown.push(...result.events);
    const reasons = result.events.flatMap((event) => (event.type === 'review.requested' ? event.reasons : []));
    this.ended.push({ code: result.code, last: result.events.at(-1), reasons, stderr: result.stderr.slice(-500) });
    return result;
  }
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

function sameTree({ root }: JobProject, before: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(snapshotTree(root)) === JSON.stringify(before);
}

function isClean(project: JobProject): boolean {
  return project.git('status', '--porcelain') === '';
}

/** What was shown and is not in the database. */
async function lostOf(home: FluffyHome, { project, shown }: StruckRun): Promise<string[]> {
  const ids = new Set(shown.flatMap(({ session_id: id }) => (id === null ? [] : [id])));
  const kept = new Set<string>();
  const key = ({ session_id, seq, type }: FluffyEvent): string => `${session_id} ${seq} ${type}`;
  for (const id of ids) {
    const { stdout } = await home.run(['session', 'show', id, '--json'], { cwd: project.root });
    for (const event of (JSON.parse(stdout) as { events: FluffyEvent[] }).events) kept.add(key(event));
  }
  return shown
    .filter(({ type }) => ON_DISK_FIRST.has(type))
    .map(key)
    .filter((name) => !kept.has(name));
}

async function stopSupervisorOf(home: FluffyHome, root: string): Promise<void> {
  const { stopSupervisor } = await import('../../../src/cli/supervisor/client/stop-supervisor.ts');
  const { projectDirs, userDirs } = await import('../../../src/contracts/host-layout.ts');
  const { projectIdOf } = await import('../../../src/cli/supervisor/instance.ts');
  await stopSupervisor(projectDirs(userDirs(home.env), root, projectIdOf(root)));
}

function leftOf({ root }: JobProject): string[] {
  const mounted = readFileSync('/proc/mounts', 'utf8').includes(root.replaceAll(' ', String.raw`\040`));
  return [...containersOf(root), ...volumesOf(root), ...(mounted ? ['a mount'] : [])];
}

describe('kill -9 of kernel, sandbox, CLI or supervisor at any moment', () => {
  let strikes = 0;
  afterAll(() => {
    if (IS_SOAK) process.stderr.write(`${strikes} strikes\n`);
  });

  it.for(ROUNDS)('loses nothing: $name', { timeout: IS_SOAK ? 900_000 : 180_000 }, async (each, { onTestFinished }) => {
    let run: StruckRun | null = null;
    const model = await startAnthropicServer((request) => run?.model(request) ?? stateDrivenModel(request));
    const home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
    const bystander = makeJobProject();
    run = new StruckRun(home, each);
    const { project } = run;
    onTestFinished(async () => {
      await home.remove([project.root, bystander.root]);
      await model.close();
      project.remove();
      bystander.remove();
    });

    const result = await run.toTheEnd();
    strikes += run.struck.length;
    const said = JSON.stringify({ struck: run.struck, ended: run.ended });
    expect(isCommitted(result), said).toBe(true);
    expect(run.halfMerged, said).toEqual([]);
    expect(run.commits).toBe(2);
    expect(project.git('status', '--porcelain')).toBe('');
    project.git('fsck', '--strict');
    expect(await lostOf(home, run), said).toEqual([]);
    expect(containersOf(project.root, 'kernel').length).toBeLessThan(2);
    const verdict = await home.run(['audit', 'verify', '--json'], { cwd: project.root });
    expect({ code: verdict.code, out: verdict.stdout }).toMatchObject({ code: 0 });

    if (!each.strikes.some(({ victim }) => victim === 'supervisor' || victim === 'all')) {
      await stopSupervisorOf(home, project.root);
      expect(leftOf(project)).toEqual([]);
      return;
    }
    // What a supervisor that was killed leaves, any other one's start removes.
    killSupervisors(project.root);
    await home.run(['-p', 'Say hello', '--mode', 'explore', ...MODEL], {
      cwd: bystander.root,
      timeoutMs: RUN_TIMEOUT_MS,
    });
    await expect.poll(() => leftOf(project), { timeout: 60_000, interval: 500 }).toEqual([]);
  });
});
