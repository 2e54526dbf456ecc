import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionIdSchema } from '../../../src/contracts/ids.ts';
import type { SessionId } from '../../../src/contracts/ids.ts';
import type { TestOperation, ToolOperation } from '../../../src/contracts/ports/sandboxes.ts';
import { connectPeer } from '../../../src/ipc/index.ts';
import type { RpcPeer } from '../../../src/ipc/index.ts';
import { SandboxManager } from '../../../src/kernel/sandbox/index.ts';
import type { SandboxConnections, SandboxLifecycle, SandboxServices } from '../../../src/kernel/sandbox/index.ts';
import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { SANDBOX_PROGRAMS } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import { DEFAULT_LIMITS, Scheduler } from '../../../src/kernel/scheduler/index.ts';
import { createSandboxDirectories } from '../../../src/platform/sandbox-dirs/sandbox-directories.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { FakeEngine } from './fake-engine.ts';
import type { FakeContainer } from './fake-engine.ts';

export const session: SessionId = sessionIdSchema.parse('s_session01');

/** The real manager, scheduler, sockets and directories over an engine in memory whose containers are played in this process. */
export interface ManagerFixture {
  readonly manager: SandboxManager;
  readonly engine: FakeEngine;
  readonly events: SandboxLifecycle[];
  readonly connections: SandboxConnections[];
  readonly root: string;
  socketOf(container: FakeContainer): string;
  /** Connects as the container's program would; null when it is not let in. */
  connect(container: FakeContainer, onPeer: (peer: RpcPeer) => void): Promise<RpcPeer | null>;
  /** Connects without a word. */
  connectRaw(container: FakeContainer): Socket;
  tool(more?: Partial<ToolOperation>): Promise<Awaited<ReturnType<SandboxManager['tool']>>>;
  test(more?: Partial<TestOperation>): Promise<Awaited<ReturnType<SandboxManager['test']>>>;
  /** What is left in the engine and on disk. */
  leftovers(): Promise<{ containers: number; volumes: number; directories: readonly string[] }>;
  close(): Promise<void>;
}

export async function makeManager(more: Partial<SandboxServices> = {}): Promise<ManagerFixture> {
  const root = await mkdtemp(join(tmpdir(), 'sbx-'));
  const projectRoot = '/home/me/project';
  const engine = new FakeEngine(projectRoot);
  const events: SandboxLifecycle[] = [];
  const connections: SandboxConnections[] = [];
  const directories = createSandboxDirectories({ stateDir: join(root, 'state'), runDir: root });
  const uid = process.getuid?.() ?? 0;
  engine.tamper = (settings) => ({ ...settings, user: `${uid}:1000` });
  const manager = new SandboxManager({
    runtime: engine,
    directories,
    admission: new Scheduler({ limits: DEFAULT_LIMITS, clock: systemClock, memoryUsage: () => 0 }),
    clock: systemClock,
    random: systemRandom,
    identity: { uid, gid: 1000, projectRoot, borrowedObjects: null, limits: templateLimits() },
    kernelVersion: '1',
    onLifecycle: (event) => events.push(event),
    onConnections: (event) => connections.push(event),
    timing: { readyWithinMs: 1_500, diskPollMs: 10, afterDeathMs: 500 },
    ...more,
  });
  const socketOf = (container: FakeContainer): string => join(root, 'sbx', container.request.sandbox, 'kernel.sock');
  return {
    manager,
    engine,
    events,
    connections,
    root,
    socketOf,
    connect: (container, onPeer) =>
      connectPeer(socketOf(container), {
        hello: { plugin_name: SANDBOX_PROGRAMS[container.request.program].pluginName ?? '', plugin_version: '1' },
        onPeer,
      }).catch(() => null),
    connectRaw: (container) => createConnection(socketOf(container)).on('error', () => undefined),
    tool: (operation = {}) =>
      manager.tool({
        session,
        program: 'tool:fs',
        slot: null,
        method: 'fs.write',
        params: { path: 'a' },
        deadlineMs: 2_000,
        signal: new AbortController().signal,
        ...operation,
      }),
    test: (operation = {}) =>
      manager.test({
        session,
        slot: 0,
        job: { argv: ['node'], env: {}, cwd: '', reportName: 'report.xml', image: 'node' },
        deadlineMs: 2_000,
        maxReportBytes: 1000,
        signal: new AbortController().signal,
        ...operation,
      }),
    leftovers: async () => ({
      containers: engine.containers.size,
      volumes: engine.volumes.size,
      directories: await directories.list(),
    }),
    close: async () => {
      engine.failing.clear();
      await manager.closeAll();
      await rm(root, { recursive: true, force: true });
    },
  };
}
