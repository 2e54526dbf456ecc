import { lookup } from 'node:dns/promises';
import { chmod, chown, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dialVetted } from './dial-vetted.ts';
import type { Dial, EgressLimits } from './egress-connection.ts';
import { serveEgressConnection } from './egress-connection.ts';
import type { EgressEvent } from './egress-event.ts';
import type { HostRule } from './host-rule.ts';

export interface EgressGateOptions {
  /** In a directory that is mounted into exactly one sandbox. */
  readonly socketPath: string;
  readonly allow: readonly HostRule[];
  /** The owner of the socket: the user that the sandbox runs as. Absent: the caller stays the owner. Only root may set it. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly onDecision: (event: EgressEvent) => void;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly dial?: Dial;
  readonly limits?: Partial<EgressLimits>;
  readonly nowMs?: () => number;
}

export interface EgressGate {
  /** Ends every tunnel and removes the socket; everything is reported when it resolves. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: EgressLimits = {
  headTimeoutMs: 10_000,
  connectTimeoutMs: 15_000,
  idleTimeoutMs: 10 * 60_000,
  maxConnections: 16,
};

/** Maximum reports: a sandbox that is refused in a loop must not fill the host's log. */
const MAX_REPORTED_REFUSALS = 200;

/** Opens the only network access of one sandbox: an HTTP CONNECT proxy on a Unix socket, only for the listed hosts. */
export async function openEgressGate(options: EgressGateOptions): Promise<EgressGate> {
  const clients = new Map<Socket, Promise<void>>();
  const reporter = boundedReporter(options.onDecision);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const context = {
    allow: options.allow,
    limits,
    resolve: options.resolve ?? resolveAll,
    dial: options.dial ?? dialVetted,
    report: reporter.report,
    nowMs: options.nowMs ?? ((): number => performance.now()),
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    const served = serveEgressConnection(client, context)
      .catch(() => void client.destroy())
      .finally(() => clients.delete(client));
    clients.set(client, served);
  });
  server.maxConnections = limits.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socketPath, resolve);
  });
  await chmod(options.socketPath, 0o600);
  if (options.owner !== undefined) await chown(options.socketPath, options.owner.uid, options.owner.gid);
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      const served = [...clients.values()];
      for (const client of clients.keys()) client.destroy();
      await Promise.all([closed, ...served]);
      await rm(options.socketPath, { force: true });
      reporter.flush();
    },
  };
}

async function resolveAll(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

function boundedReporter(onDecision: (event: EgressEvent) => void): {
  readonly report: (event: EgressEvent) => void;
  readonly flush: () => void;
} {
  let refusals = 0;
  return {
    report: (event) => {
      if (event.kind === 'refused') refusals += 1;
      if (event.kind !== 'refused' || refusals <= MAX_REPORTED_REFUSALS) onDecision(event);
    },
    flush: () => {
      if (refusals > MAX_REPORTED_REFUSALS) onDecision({ kind: 'suppressed', count: refusals - MAX_REPORTED_REFUSALS });
    },
  };
}
