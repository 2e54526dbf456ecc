import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { request as httpRequest } from 'node:http';
import { basename, join, resolve } from 'node:path';
import type { GuardContainerCreate } from '../../../src/contracts/sandbox/guard-api.ts';
import type { OpenServiceSockets } from '../../../src/contracts/ports/host-services.ts';
import { createEngineClient } from '../../../src/host/runtime-guard/engine-client.ts';
import type { GuardContext } from '../../../src/host/runtime-guard/guard-context.ts';
import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { removeAllOwned } from '../../../src/host/runtime-guard/owned-objects.ts';
import { startRuntimeGuard, type RuntimeGuard } from '../../../src/host/runtime-guard/runtime-guard.ts';

export const ENGINE = { socketPath: '/var/run/docker.sock', apiVersion: '1.41' } as const;
export const UID = 1000;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A guard in front of the real engine, with a project of uid 1000 and the directories that L1 would have. */
export interface GuardFixture {
  readonly context: GuardContext;
  readonly guard: RuntimeGuard;
  readonly project: string;
  readonly state: string;
  readonly run: string;
  readonly sockets: string;
  readonly socket: string;
  readonly root: string;
  readonly openedSockets: string[];
  readonly closedSockets: string[];
  /** One request as L1 would send it. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Bytes as they are, and everything that comes back until the guard hangs up or `forMs` is over. */
  raw(bytes: string | readonly string[], forMs?: number): Promise<string>;
  /** Makes what L1 makes before it asks for a sandbox: socket, job and out directory. */
  prepare(sandbox: string): Promise<void>;
  prepareSlot(session: string, slot: number): Promise<void>;
  guardLog(): Promise<string>;
  close(): Promise<void>;
}

export const newSandboxId = (): string => `x_${randomBytes(6).toString('hex')}`;

export function containerRequest(overrides: Partial<Record<keyof GuardContainerCreate, unknown>> = {}): unknown {
  return {
    sandbox: newSandboxId(),
    session: 's_00000000',
    program: 'tool:fs',
    template: 'code-executor',
    image: 'node',
    workspace: { kind: 'none' },
    limits: { memory_bytes: 128 * 1024 * 1024, cpus: 1, pids: 64, file_size_bytes: 1024 * 1024 },
    ...overrides,
  };
}

export async function startGuardFixture(
  image: string,
  options: { readonly openSockets?: OpenServiceSockets; readonly context?: Partial<GuardContext> } = {},
): Promise<GuardFixture> {
  const root = await realpath(await mkdtemp('/tmp/fluffy-guard-test-'));
  const dirs = {
    project: join(root, 'project'),
    state: join(root, 'state'),
    run: join(root, 'l1'),
    sockets: join(root, 'guard'),
  };
  for (const path of Object.values(dirs)) await mkdir(path, { mode: 0o700 });
  for (const name of ['staging', 'slots', 'jobs', 'out']) await mkdir(join(dirs.state, name), { mode: 0o700 });
  await mkdir(join(dirs.run, 'sbx'), { mode: 0o700 });
  await writeFile(join(dirs.project, 'a.txt'), 'a\n');
  await writeFile(join(dirs.project, 'gone.txt'), 'gone\n');
  const own = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await lchown(path, UID, UID);
  };
  await own(dirs.project, dirs.state, dirs.run, join(dirs.project, 'a.txt'), join(dirs.project, 'gone.txt'));
  await own(...['staging', 'slots', 'jobs', 'out'].map((name) => join(dirs.state, name)), join(dirs.run, 'sbx'));

  const seccomp = async (name: string): Promise<string> =>
    readFile(join(import.meta.dirname, '../../../seccomp', `${name}.json`), 'utf8');
  const context: GuardContext = {
    projectId: randomBytes(8).toString('hex'),
    instance: 'guard-test',
    projectRoot: dirs.project,
    uid: UID,
    gid: UID,
    images: { node: image, python: image, provider: image },
    seccomp: {
      strict: await seccomp('strict'),
      standard: await seccomp('standard'),
      'standard-net': await seccomp('standard-net'),
    },
    caps: templateLimits(),
    borrowedObjects: null,
    dependencyMounts: [],
    hostsFile: resolve('sandbox-images/hosts'),
    packageMounts: () => Promise.resolve([]),
    ...options.context,
  };
  const openedSockets: string[] = [];
  const closedSockets: string[] = [];
  const openSockets: OpenServiceSockets = async ({ directory }) => {
    const sandbox = basename(directory);
    openedSockets.push(sandbox);
    await writeFile(join(directory, 'egress.sock'), '');
    return {
      attempts: () => [],
      close: () => {
        closedSockets.push(sandbox);
        return Promise.resolve();
      },
    };
  };
  const socket = join(dirs.run, 'guard.sock');
  const log = join(root, 'guard.log');
  const guard = await startRuntimeGuard({
    engine: ENGINE,
    context,
    paths: { state: dirs.state, run: dirs.run, sockets: dirs.sockets, socket, log },
    openSockets: options.openSockets ?? openSockets,
    followedLog: {
      position: () => Promise.resolve({ entries: 0, head: null }),
      follow: ({ after, records }) => Promise.resolve({ kind: 'followed', entries: after + records.length }),
    },
    anchor: (request) => Promise.resolve({ anchored: request.entries }),
    attest: () => Promise.resolve({ kind: 'refused', reason: 'nothing is attested here' }),
    isSignedPolicy: (sha256) => Promise.resolve(sha256 === 'a'.repeat(64)),
    addSpending: () => Promise.reject(new Error('nothing is spent here')),
    checkPlace: () => Promise.resolve({ kind: 'same' }),
    nowMs: Date.now,
  });

  return {
    context,
    guard,
    ...dirs,
    socket,
    root,
    openedSockets,
    closedSockets,
    ask: (method, path, body) => ask(socket, method, path, body),
    raw: (bytes, forMs = 15_000) => raw(socket, typeof bytes === 'string' ? [bytes] : bytes, forMs),
    async prepare(sandbox) {
      for (const path of [
        join(dirs.run, 'sbx', sandbox),
        join(dirs.state, 'jobs', sandbox),
        join(dirs.state, 'out', sandbox),
      ]) {
        await mkdir(path, { mode: 0o700 });
        await chown(path, UID, UID);
      }
    },
    async prepareSlot(session, slot) {
      for (const path of [
        join(dirs.state, 'staging', session),
        join(dirs.state, 'slots', String(slot)),
        join(dirs.state, 'slots', String(slot), 'upper'),
        join(dirs.state, 'slots', String(slot), 'work'),
      ]) {
        await mkdir(path, { mode: 0o700, recursive: true });
        await chown(path, UID, UID);
      }
    },
    guardLog: () => readFile(log, 'utf8').catch(() => ''),
    async close() {
      await guard.close();
      await removeAllOwned(createEngineClient(ENGINE), context);
      await rm(root, { recursive: true, force: true });
    },
  };
}

function ask(socketPath: string, method: string, path: string, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const request = httpRequest(
      {
        socketPath,
        method,
        path,
        agent: false,
        headers: json === undefined ? {} : { 'Content-Length': Buffer.byteLength(json) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(json);
  });
}

function raw(socketPath: string, pieces: readonly string[], forMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(socketPath);
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    for (const piece of pieces) socket.write(piece);
  });
}
