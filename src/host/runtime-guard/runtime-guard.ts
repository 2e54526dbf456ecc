import { chmod, lchown, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Server } from 'node:http';
import type {
  AddSpending,
  Anchor,
  Attest,
  CheckPlace,
  FollowedLog,
  IsSignedPolicy,
  OpenServiceSockets,
} from '../../contracts/ports/host-services.ts';
import { answerCall, type CallServices } from './answer-call.ts';
import { createContainerCalls } from './container-calls.ts';
import { createEngineClient, type EngineAddress } from './engine-client.ts';
import { createGuardServer } from './guard-server.ts';
import { openBoundedLog } from './bounded-log.ts';
import type { GuardContext } from './guard-context.ts';
import { openAbsolute, type HeldDirectory } from './held-directory.ts';
import { removeAllOwned } from './owned-objects.ts';
import { createReleaseStack } from './release-stack.ts';
import { totalsFor } from './totals.ts';
import { createVolumeCalls } from './volume-calls.ts';

export interface RuntimeGuardOptions {
  readonly engine: EngineAddress;
  readonly context: GuardContext;
  /** Real, absolute paths. */
  readonly paths: {
    /** `<state>/kernel`, parts of which L1 names by id. */
    readonly state: string;
    /** `<runtime>/l1`. */
    readonly run: string;
    /** `<runtime>/guard`, for the service sockets of each sandbox. */
    readonly sockets: string;
    /** The guard's socket for L1. An old file there is replaced. */
    readonly socket: string;
    readonly log: string;
  };
  readonly openSockets: OpenServiceSockets;
  readonly followedLog: FollowedLog;
  readonly anchor: Anchor;
  readonly attest: Attest;
  readonly addSpending: AddSpending;
  readonly isSignedPolicy: IsSignedPolicy;
  readonly checkPlace: CheckPlace;
  readonly nowMs: () => number;
}

export interface RuntimeGuard {
  /** Stops listening, then removes every sandbox and workspace and closes their service sockets. L1 must have been stopped before. */
  close(): Promise<void>;
}

/**
 * Opens L1's only access to the container engine. Objects of a dead supervisor of this project are removed first. So every container that can be
 * started afterwards was created by this process, which holds its directories open.
 */
export async function startRuntimeGuard(options: RuntimeGuardOptions): Promise<RuntimeGuard> {
  const { context, paths } = options;
  const engine = createEngineClient(options.engine);
  const releases = createReleaseStack();
  try {
    await removeAllOwned(engine, context);
    const state = await holdRoot(paths.state);
    releases.add(() => state.close());
    const run = await holdRoot(paths.run);
    releases.add(() => run.close());

    const log = openBoundedLog(paths.log, options.nowMs);
    const volumes = createVolumeCalls({ engine, context, state });
    const containers = createContainerCalls({
      engine,
      context,
      state,
      run,
      socketsRoot: paths.sockets,
      openSockets: options.openSockets,
      hasWorkspace: (name) => volumes.has(name),
      totals: totalsFor(context.caps, totalmem()),
      after: runLater,
      log,
    });

    const services: CallServices = { ...options, engine, volumes, containers };
    const server = createGuardServer((...call) => answerCall(services, ...call), log);
    await listen(server, paths.socket, context);
    return {
      async close() {
        await closeServer(server);
        await removeAllOwned(engine, context).catch(() => undefined);
        await containers.releaseAll();
        await volumes.releaseAll();
        await releases.release();
        await log.flush();
      },
    };
  } catch (error) {
    await releases.release();
    throw error;
  }
}

/** The timer does not keep the process alive. Timers allow at most 24.8 days. */
function runLater(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms).unref();
  return () => clearTimeout(timer);
}

async function holdRoot(path: string): Promise<HeldDirectory> {
  const outcome = await openAbsolute(path);
  if (outcome.kind !== 'held') throw new Error(`${path} is not a directory of its own (${outcome.kind})`);
  return outcome.directory;
}

async function listen(server: Server, path: string, { uid, gid }: GuardContext): Promise<void> {
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  await chmod(path, 0o600);
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
