import { randomBytes } from 'node:crypto';
import { lchown, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachKernel, type AttachedKernel, type AttachOptions } from '../../../src/cli/supervisor/client/client.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { createEngineClient } from '../../../src/host/runtime-guard/engine-client.ts';
import { withFileLock } from '../../../src/host/file-lock.ts';
import { LABELS } from '../../../src/contracts/sandbox/guard-api.ts';
import { connectPeer, type RpcPeer } from '../../../src/ipc/index.ts';
import { ENGINE, UID } from './guard-fixture.ts';

/** A project of uid 1000 with a home, a state directory and images of its own, and no supervisor yet. */
export interface SupervisorFixture {
  readonly root: string;
  readonly project: string;
  readonly env: Record<string, string>;
  attach(overrides?: Partial<AttachOptions>): Promise<AttachedKernel>;
  /** Speaks to the (fake) kernel as a CLI would. */
  ask(attached: AttachedKernel, method: string, params?: unknown): Promise<unknown>;
  supervisorPid(attached: AttachedKernel): Promise<number>;
  /** Names of containers and volumes of the project. */
  leftovers(): Promise<string[]>;
  /** Ends the supervisor and waits until nothing is left. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const REPOSITORY = join(import.meta.dirname, '../../..');
const engine = createEngineClient(ENGINE);

export async function makeSupervisorFixture(
  image: string,
  options: { readonly owner?: number; readonly runtimeDir?: boolean } = {},
): Promise<SupervisorFixture> {
  const root = await realpath(await mkdtemp('/tmp/fluffy-sv-'));
  const project = join(root, 'project');
  const repository = join(root, 'repository');
  const stateHome = join(root, 'state/fluffy');
  await mkdir(project);
  const owner = options.owner ?? UID;
  await lchown(project, owner, owner);
  // The sources, without a bundle that may be older.
  await mkdir(repository);
  for (const name of ['src', 'seccomp', 'node_modules', 'package.json'])
    await symlink(join(REPOSITORY, name), join(repository, name));
  await mkdir(stateHome, { recursive: true });
  const record = { id: image, source: randomBytes(32).toString('hex'), base: 'host', built_at_ms: 0 };
  await writeFile(
    join(stateHome, 'images.json'),
    JSON.stringify({ version: 1, images: { kernel: record, node: record, provider: record } }),
  );
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(root, 'home'),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
  };
  if (options.runtimeDir !== false) {
    env['XDG_RUNTIME_DIR'] = join(root, 'run');
    await mkdir(join(root, 'run'), { mode: 0o700 });
  }
  const projectId = projectIdOf(project);
  const attached = new Set<AttachedKernel>();
  const pids = new Set<number>();

  const fixture: SupervisorFixture = {
    root,
    project,
    env,
    async attach(overrides = {}) {
      const kernel = await attachKernel({
        projectRoot: project,
        env,
        allowRoot: false,
        repoRoot: repository,
        onProgress: () => undefined,
        ...overrides,
      });
      attached.add(kernel);
      pids.add(await fixture.supervisorPid(kernel));
      return kernel;
    },
    async ask(kernel, method, params = {}) {
      const peer = await connectPeer(kernel.cliSocket, { hello: { plugin_name: 'test', plugin_version: '1' } });
      try {
        return await peer.request(method, params, { timeoutMs: 30_000 });
      } finally {
        peer.close();
      }
    },
    supervisorPid: async (kernel) => ((await status(kernel)) as { pid: number }).pid,
    async leftovers() {
      const filters = encodeURIComponent(JSON.stringify({ label: [`${LABELS.project}=${projectId}`] }));
      const containers = await engine.call('GET', `/containers/json?all=1&filters=${filters}`);
      const volumes = await engine.call('GET', `/volumes?filters=${filters}`);
      return [
        ...(containers.body as { Names: string[] }[]).flatMap(({ Names }) => Names),
        ...((volumes.body as { Volumes: { Name: string }[] | null }).Volumes ?? []).map(({ Name }) => Name),
      ];
    },
    async stop() {
      for (const kernel of attached) {
        await withSupervisor(kernel, (peer) => peer.request('stop', {})).catch(() => undefined);
        kernel.release();
      }
      attached.clear();
      for (const pid of pids) await untilGone(pid);
      pids.clear();
      // One that failed at its start was never attached to, but may still be ending.
      const lock = join(stateHome, 'projects', projectId, 'host/supervisor.lock');
      await withFileLock(lock, {}, () => Promise.resolve());
    },
    async close() {
      await fixture.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
  return fixture;
}

async function withSupervisor<T>(kernel: AttachedKernel, use: (peer: RpcPeer) => Promise<T>): Promise<T> {
  const peer = await connectPeer(kernel.runtime.supervisorSocket, {
    hello: { plugin_name: 'test', plugin_version: '1' },
  });
  try {
    return await use(peer);
  } finally {
    peer.close();
  }
}

export function status(kernel: AttachedKernel): Promise<unknown> {
  return withSupervisor(kernel, (peer) => peer.request('status', {}));
}

/** Resolves when a process has ended; a zombie has. */
export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null || / Z /.test(stat.slice(stat.lastIndexOf(')')))) return;
    await sleep(20);
  }
}
