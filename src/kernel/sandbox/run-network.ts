import type { SessionId } from '../../contracts/ids.ts';
import type { RunNetwork } from '../../contracts/ports/sandboxes.ts';
import { NETWORK_READY, networkReadyAnswerSchema } from '../../contracts/sandbox/test-network.ts';
import type { ToolCall } from '../../contracts/model/tool-call.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';
import { networkSpec, serviceSpec } from './sandbox-spec.ts';
import type { SandboxSpec } from './sandbox-spec.ts';

/** Maximum time from the start of the container until it accepts connections. */
const READY_WITHIN_MS = 60_000;
const LAST_WORDS = { headBytes: 512, tailBytes: 1_536 };

/** Creates and removes the sandboxes of a run; implemented by the manager. */
export interface SandboxMaker {
  open(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox>;
  close(sandbox: Sandbox): Promise<void>;
}

export interface OpenedNetwork {
  /** For the spec of the tests' sandbox. */
  readonly joined: NonNullable<SandboxSpec['networkOf']>;
  /** Reports the connections, then removes all its sandboxes. Never rejects. */
  close(): Promise<void>;
}

export interface NetworkRun {
  readonly session: SessionId;
  readonly network: RunNetwork;
  readonly signal: AbortSignal;
}

/**
 * Opens the loopback of one test run with its services, each in a sandbox of its own. It exists for this run only, so
 * that no run finds the data of another in a database. Resolves when all services accept connections. Rejects if one
 * does not; then everything is removed.
 */
export async function openRunNetwork(
  services: SandboxServices,
  maker: SandboxMaker,
  { session, network, signal }: NetworkRun,
): Promise<OpenedNetwork> {
  const holder = await maker.open(networkSpec(session, network.groups), signal);
  if (holder.container === null) throw new Error(`the network ${holder.id} has no container`);
  const joined = { sandbox: holder.id, container: holder.container };
  const opened: Sandbox[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((each) => maker.close(each)));
    if (network.groups.length > 0) await reportConnections(services, holder);
    await maker.close(holder);
  };
  try {
    const started = await Promise.allSettled(
      network.services.map(async (service) => {
        const sandbox = await maker.open(serviceSpec(session, service, joined), signal);
        opened.push(sandbox);
        return { ...service, sandbox };
      }),
    );
    const running = started.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    await waitForServices(holder, running, signal);
    return { joined, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RunningService {
  readonly name: string;
  readonly port: number;
  readonly sandbox: Sandbox;
}

async function waitForServices(
  holder: Sandbox,
  running: readonly RunningService[],
  signal: AbortSignal,
): Promise<void> {
  if (running.length === 0) return;
  const input = { ports: running.map(({ port }) => port), within_ms: READY_WITHIN_MS };
  const call: ToolCall = { input, context: { sandbox_id: holder.id, workspace: null, session_mode: 'strict' } };
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const ended = running.map(async (service) => {
      await service.sandbox.ended;
      return service;
    });
    const first = await Promise.race([holder.peer.request(NETWORK_READY, call), aborted.promise, ...ended]);
    const isEnd = (one: unknown): one is RunningService => running.some((service) => service === one);
    if (isEnd(first)) throw new Error(`the service ${first.name} ended at once${await lastWords(first.sandbox)}`);
    const missing = networkReadyAnswerSchema.parse(first).missing.map(String);
    const late = running.find(({ port }) => missing.includes(String(port)));
    if (late === undefined) return;
    await late.sandbox.kill();
    await late.sandbox.ended;
    throw new Error(
      `the service ${late.name} accepts no connection on port ${late.port} after ${READY_WITHIN_MS / 1000} s${await lastWords(late.sandbox)}`,
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function lastWords(sandbox: Sandbox): Promise<string> {
  const { text } = await sandbox.output(LAST_WORDS).catch(() => ({ text: '' }));
  return text.trim() === '' ? '' : `: ${text.trim()}`;
}

async function reportConnections(services: SandboxServices, holder: Sandbox): Promise<void> {
  const attempts = await services.runtime.egress(holder.id).catch(() => []);
  services.onConnections?.({ sandbox: holder.id, session: holder.spec.session, attempts });
}
