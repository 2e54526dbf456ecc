import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { repairCommands } from '../../bootstrap/repair-commands.ts';
import { lastText } from '../../lib/text/first-last.ts';
import { type DaemonEnd, type Machine, asRoot } from './machine.ts';

/** An engine that set-up started, and how to stop it. */
export type StartedEngine =
  { readonly kind: 'service'; readonly stop: readonly string[] } | { readonly kind: 'process'; readonly pid: number };

export interface StartEngineOptions {
  readonly machine: Machine;
  /** Log file of an engine without a service manager. */
  readonly logPath: string;
  /** Whether the engine answers now. */
  readonly isReady: () => Promise<boolean>;
  readonly progress: (line: string) => void;
  readonly readyWithinMs?: number;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 250;

/**
 * Starts the installed engine and waits until it answers: through systemd if it is running, else as a process in its own session, which outlives this
 * terminal. The caller has consent.
 *
 * @throws FluffyError `engine_not_started` with the last line of the engine's log, or why it could not be started.
 */
export async function startEngine(options: StartEngineOptions): Promise<StartedEngine> {
  return options.machine.system.systemd ? startService(options) : startProcess(options);
}

async function startService({ machine, isReady, progress, readyWithinMs }: StartEngineOptions): Promise<StartedEngine> {
  const command = asRoot(machine, ['systemctl', 'start', 'docker']);
  const stop = asRoot(machine, ['systemctl', 'stop', 'docker.socket', 'docker.service']);
  if (command === undefined || stop === undefined) throw notStarted(machine, 'only root may start services');
  progress(`starting the container engine: ${command.join(' ')}`);
  const code = await machine.run(command);
  if (code !== 0) throw notStarted(machine, `\`${command.join(' ')}\` ended with ${code}, see above`);
  if ((await waitForEngine(isReady, readyWithinMs)) !== 'ready')
    throw notStarted(machine, 'it runs, but does not answer');
  return { kind: 'service', stop };
}

/** Fluffy's sandboxes have no network. So an engine that can't create one, because the kernel lacks the tables, is sufficient. */
const WITHOUT_NETWORK = ['--iptables=false', '--ip6tables=false', '--bridge=none'];

async function startProcess(options: StartEngineOptions): Promise<StartedEngine> {
  const { machine, progress, logPath } = options;
  if (!machine.isRoot)
    throw notStarted(machine, 'there is no service manager here, and only root may start the engine itself');
  // This may fail if the groups are already mounted; the engine itself reports a missing group.
  if (machine.has('cgroupfs-mount')) await machine.run(['cgroupfs-mount']);
  progress(`starting the container engine: dockerd, log in ${logPath}`);
  const first = await launchDockerd(options, []);
  if (first.kind === 'running') return first.started;
  if (!/iptables|ip6tables|bridge|nftables/i.test(first.log)) throw notStarted(machine, whyItEnded(first));
  progress('the engine cannot set up networks here; starting it without, which is all that sandboxes need');
  const second = await launchDockerd(options, WITHOUT_NETWORK);
  if (second.kind === 'running') return second.started;
  throw notStarted(machine, whyItEnded(second));
}

type FailedLaunch = {
  readonly kind: 'failed';
  readonly log: string;
  readonly logPath: string;
  readonly end: DaemonEnd;
  /** Whether it ran, did not answer in time, and was therefore stopped. */
  readonly timedOut: boolean;
};
type Launch = { readonly kind: 'running'; readonly started: StartedEngine } | FailedLaunch;

async function launchDockerd(
  { machine, isReady, logPath, readyWithinMs }: StartEngineOptions,
  flags: readonly string[],
): Promise<Launch> {
  const daemon = machine.startDaemon(['dockerd', ...flags], logPath);
  const outcome = await waitForEngine(isReady, readyWithinMs, daemon.ended);
  if (daemon.pid !== undefined && outcome === 'ready')
    return { kind: 'running', started: { kind: 'process', pid: daemon.pid } };
  daemon.kill();
  const end = await daemon.ended;
  return { kind: 'failed', log: readFileSync(logPath, 'utf8'), logPath, end, timedOut: outcome === 'too-late' };
}

/** Polls until the engine answers, its time is up, or `ended` settles. */
async function waitForEngine(
  isReady: () => Promise<boolean>,
  withinMs = READY_WITHIN_MS,
  ended?: Promise<unknown>,
): Promise<'ready' | 'ended' | 'too-late'> {
  let over = false;
  void ended?.then(() => (over = true));
  for (const deadline = performance.now() + withinMs; performance.now() < deadline && !over;) {
    if (await isReady()) return 'ready';
    await Promise.race([sleep(POLL_MS), ...(ended === undefined ? [] : [ended])]);
  }
  return over ? 'ended' : 'too-late';
}

function whyItEnded({ log, logPath, end, timedOut }: FailedLaunch): string {
  if (end.kind === 'not-started') return `dockerd could not be started: ${end.why}`;
  const lastLine = lastText(log.trim().split('\n'));
  const how = end.kind === 'exited' ? `ended with exit code ${end.code}` : `was ended by ${end.signal}`;
  const what = timedOut ? 'dockerd did not answer in time' : `dockerd ${how}`;
  return lastLine === '' ? `${what} and wrote nothing to ${logPath}` : `${what}: ${lastLine}`;
}

function notStarted(machine: Machine, why: string): FluffyError {
  return new FluffyError({
    code: 'engine_not_started',
    what: 'The container engine could not be started',
    why,
    fix: repairCommands(machine.system).start,
    exitCode: EXIT.noRuntime,
  });
}

/** Stops what {@link startEngine} started; its data stays. Resolves when it is gone. */
export async function stopEngine(started: StartedEngine, machine: Machine): Promise<void> {
  if (started.kind === 'service') {
    await machine.run(started.stop);
    return;
  }
  if (!signal(started.pid, 'SIGTERM')) return;
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!signal(started.pid, 0)) return;
  }
  signal(started.pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
