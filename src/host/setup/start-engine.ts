import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { mendingCommands } from '../../bootstrap/mending-commands.ts';
import { type Machine, asRoot } from './machine.ts';

/** An engine that set-up started, and how it is stopped again. */
export type StartedEngine =
  { readonly kind: 'service'; readonly stop: readonly string[] } | { readonly kind: 'process'; readonly pid: number };

export interface StartEngineOptions {
  readonly machine: Machine;
  /** Where an engine without a service manager writes. */
  readonly logPath: string;
  /** Whether the engine answers now. */
  readonly isReady: () => Promise<boolean>;
  readonly progress: (line: string) => void;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 250;

/**
 * Starts the installed engine and waits until it answers: through systemd where that runs the machine, else as a process in a
 * session of its own, which outlives this terminal. The caller has asked for consent.
 *
 * @throws FluffyError `engine_not_started` with the engine's last words.
 */
export async function startEngine(options: StartEngineOptions): Promise<StartedEngine> {
  return options.machine.system.systemd ? startService(options) : startProcess(options);
}

async function startService({ machine, isReady, progress }: StartEngineOptions): Promise<StartedEngine> {
  const command = asRoot(machine, ['systemctl', 'start', 'docker']);
  const stop = asRoot(machine, ['systemctl', 'stop', 'docker.socket', 'docker.service']);
  if (command === undefined || stop === undefined) throw notStarted(machine, 'only root may start services');
  progress(`starting the container engine: ${command.join(' ')}`);
  const code = await machine.run(command);
  if (code !== 0) throw notStarted(machine, `\`${command.join(' ')}\` ended with ${code}, see above`);
  if (!(await answersInTime(isReady))) throw notStarted(machine, 'it runs, but does not answer');
  return { kind: 'service', stop };
}

/** Fluffy's sandboxes have no network, so an engine that can't make one, because the kernel lacks the tables, is good enough. */
const WITHOUT_NETWORK = ['--iptables=false', '--ip6tables=false', '--bridge=none'];

async function startProcess(options: StartEngineOptions): Promise<StartedEngine> {
  const { machine, progress, logPath } = options;
  if (!machine.isRoot)
    throw notStarted(machine, 'there is no service manager here, and only root may start the engine itself');
  // Nothing to mount, or mounted already: the engine says itself if a group it needs is missing.
  if (machine.has('cgroupfs-mount')) await machine.run(['cgroupfs-mount']);
  progress(`starting the container engine: dockerd, log in ${logPath}`);
  const first = await launchDockerd(options, []);
  if (first.kind === 'running') return first.started;
  if (!/iptables|ip6tables|bridge|nftables/i.test(first.log)) throw notStarted(machine, lastLine(first.log));
  progress('the engine cannot set up networks here; starting it without, which is all that sandboxes need');
  const second = await launchDockerd(options, WITHOUT_NETWORK);
  if (second.kind === 'running') return second.started;
  throw notStarted(machine, lastLine(second.log));
}

type Launch =
  { readonly kind: 'running'; readonly started: StartedEngine } | { readonly kind: 'ended'; readonly log: string };

async function launchDockerd(
  { machine, isReady, logPath }: StartEngineOptions,
  flags: readonly string[],
): Promise<Launch> {
  const daemon = machine.startDaemon(['dockerd', ...flags], logPath);
  if (daemon.pid !== undefined && (await answersInTime(isReady, daemon.ended)))
    return { kind: 'running', started: { kind: 'process', pid: daemon.pid } };
  daemon.kill();
  await daemon.ended;
  return { kind: 'ended', log: readFileSync(logPath, 'utf8') };
}

/** Polls until the engine answers, its time is up, or `ended` settles. */
async function answersInTime(isReady: () => Promise<boolean>, ended?: Promise<void>): Promise<boolean> {
  let over = false;
  void ended?.then(() => (over = true));
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline && !over;) {
    if (await isReady()) return true;
    await Promise.race([sleep(POLL_MS), ...(ended === undefined ? [] : [ended])]);
  }
  return false;
}

function lastLine(log: string): string {
  return log.trim().split('\n').at(-1) ?? 'dockerd ended at once';
}

function notStarted(machine: Machine, why: string): FluffyError {
  return new FluffyError({
    code: 'engine_not_started',
    what: 'The container engine could not be started',
    why,
    fix: mendingCommands(machine.system).start,
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
