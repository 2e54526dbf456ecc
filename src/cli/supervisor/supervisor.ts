import { setTimeout as sleep } from 'node:timers/promises';
import type { KernelEvent } from '../../bootstrap/start-kernel.ts';
import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { RuntimeDirs } from '../../contracts/host-layout.ts';
import type { PlaceFinding } from '../../contracts/ports/host-services.ts';
import type { BoundedLog } from '../../host/runtime-guard/bounded-log.ts';
import { servePeers, type RpcPeer } from '../../ipc/index.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { z } from 'zod';
import { createAttachments } from './attachments.ts';
import type { ProjectKernel } from './project-kernel.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import {
  asFluffyError,
  attachParams,
  placeReplaced,
  toWire,
  type KernelChange,
  type StartReport,
  type SupervisorStatus,
  toolchainsParams,
} from './supervisor-protocol.ts';

export interface SupervisorServices {
  readonly options: SupervisorOptions;
  readonly runtime: RuntimeDirs;
  readonly log: BoundedLog;
  readonly report: (report: StartReport) => void;
  readonly start: (
    onProgress: (text: string) => void,
    onKernelEvent: (event: KernelEvent) => void,
  ) => Promise<ProjectKernel>;
  /** Ends the supervisor in order. */
  readonly signal: AbortSignal;
}

interface SupervisorState {
  project: ProjectKernel | null;
  restarts: number;
  /** Why there is no kernel, for good. */
  failure: FluffyError | null;
}

const nothing = z.strictObject({});
const FAREWELL_MS = 1_000;
/** How soon a run notices that its project or state was moved or deleted. Code that writes or starts a sandbox checks this itself. */
const PLACE_EVERY_MS = 1_000;

/**
 * Serves one project: starts its kernel, accepts CLIs, and resolves when it has ended and everything it made is gone. It ends when no client is
 * attached and nothing runs, on request, or when the kernel can't be started.
 */
export async function runSupervisor(services: SupervisorServices): Promise<void> {
  const { options, runtime, log } = services;
  const ending = Promise.withResolvers<string>();
  const state: SupervisorState = { project: null, restarts: 0, failure: null };
  const connected = new Set<RpcPeer>();
  const attachments = createAttachments({
    idleMs: options.idle_ms,
    runningSessions: () => runningSessions(state.project),
    onIdle: () => ending.resolve('idle'),
  });

  const onKernelEvent = (event: KernelEvent): void => {
    log.write({ event: `kernel-${event.kind}`, reason: reasonOf(event) });
    const change = followKernel(state, event);
    if (change !== null) attachments.notifyAll('kernel.changed', change);
    if (change?.kind === 'given-up') ending.resolve('kernel given up');
  };

  const isInUse = async (): Promise<boolean> =>
    attachments.count > 0 || ((await runningSessions(state.project)) ?? 0) > 0;
  const checkPlace = async (): Promise<PlaceFinding> => (await state.project?.checkPlace()) ?? { kind: 'same' };
  /** Notifies attached clients; the next supervisor works on what is at the path now. */
  const endIfReplaced = async (): Promise<void> => {
    const place = await checkPlace();
    if (place.kind === 'same' || state.failure !== null) return;
    state.failure = placeReplaced(place);
    attachments.notifyAll('kernel.changed', { kind: 'given-up', error: toWire(state.failure) } satisfies KernelChange);
    ending.resolve(`${place.what} replaced`);
  };

  const starting = services
    .start((text) => services.report({ kind: 'progress', text }), onKernelEvent)
    .then(
      (project) => {
        state.project = project;
        attachments.watch();
        services.report({ kind: 'serving' });
      },
      (error: unknown) => {
        state.failure = asFluffyError(error);
        log.write({ event: 'start-failed', reason: state.failure.message });
        services.report({ kind: 'failed', error: toWire(state.failure) });
        ending.resolve('start failed');
      },
    );

  const listener = await servePeers(runtime.supervisorSocket, {
    mode: 0o600,
    maxConnections: 64,
    kernelVersion: 'supervisor',
    onPeer(peer) {
      connected.add(peer);
      void peer.closed.then(() => connected.delete(peer));
      peer.onRequest('toolchains', toolchainsParams, async ({ stamp }) => {
        const isNew = stamp !== options.toolchain_stamp && state.project !== null;
        return { kind: isNew && !(await isInUse()) ? 'changed' : 'same' };
      });
      peer.onRequest('attach', attachParams, async ({ settings_digest: digest }) => {
        if (digest !== options.settings_digest) return { kind: 'other-settings', busy: await isInUse() };
        if ((await checkPlace()).kind === 'replaced') return { kind: 'replaced' };
        attachments.add(peer);
        await starting;
        if (state.failure !== null) return { kind: 'failed', error: toWire(state.failure) };
        return { kind: 'attached', cli_socket: runtime.cliSocket };
      });
      peer.onRequest('status', nothing, () => statusOf(state, attachments.count));
      peer.onRequest('stop', nothing, () => {
        ending.resolve('requested');
        return {};
      });
    },
  });

  const watch = setInterval(() => void endIfReplaced(), PLACE_EVERY_MS);
  services.signal.addEventListener('abort', () => ending.resolve('signalled'), { once: true });
  if (services.signal.aborted) ending.resolve('signalled');
  const why = await ending.promise;
  clearInterval(watch);
  log.write({ event: 'ending', reason: why });
  attachments.stop();
  await starting;
  // No new client from here on: the next one finds no socket, and starts a supervisor that waits for this one's lock.
  await farewell(connected);
  await listener.close();
  await state.project?.close();
}

/** Records what happened to the kernel. Returns the change that clients are notified of, if it is one. */
function followKernel(state: SupervisorState, event: KernelEvent): KernelChange | null {
  switch (event.kind) {
    case 'started':
      return null;
    case 'crashed':
      return { kind: 'crashed', why: event.why };
    case 'restarted':
      state.restarts += 1;
      return { kind: 'restarted' };
    case 'given-up':
      state.failure = asFluffyError(event.error);
      return { kind: 'given-up', error: toWire(state.failure) };
    default:
      return assertNever(event);
  }
}

async function statusOf({ project, failure, restarts }: SupervisorState, attached: number): Promise<SupervisorStatus> {
  return {
    pid: process.pid,
    kernel: failure !== null ? 'failed' : project === null ? 'starting' : 'running',
    engine_socket: project?.engine.socketPath ?? null,
    attached,
    sessions: await runningSessions(project),
    restarts,
  };
}

async function runningSessions(project: ProjectKernel | null): Promise<number | null> {
  if (project === null) return null;
  return project.kernel.ping().then(
    ({ sessions }) => sessions,
    () => null,
  );
}

/** Sends pending answers before the connections are cut. */
async function farewell(peers: ReadonlySet<RpcPeer>): Promise<void> {
  const gone = [...peers].map((peer) => peer.closed);
  for (const peer of peers) peer.close();
  const timeout = new AbortController();
  await Promise.race([
    Promise.all(gone),
    sleep(FAREWELL_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]);
  timeout.abort();
}

function reasonOf(event: KernelEvent): string | undefined {
  if (event.kind === 'crashed') return event.why;
  return event.kind === 'given-up' ? event.error.message : undefined;
}
