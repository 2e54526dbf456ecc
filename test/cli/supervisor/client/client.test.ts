import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findState } from '../../../../src/cli/project-state/find-state.ts';
import { attachKernel } from '../../../../src/cli/supervisor/client/client.ts';
import { connectSupervisor } from '../../../../src/cli/supervisor/client/connect-supervisor.ts';
import { runningKernelSocket } from '../../../../src/cli/supervisor/client/running-kernel.ts';
import { prepareRuntimeRoot } from '../../../../src/cli/supervisor/runtime-directory.ts';
import { makeStateDirectories } from '../../../../src/cli/supervisor/state-directories.ts';
import { stopIdleSupervisor, stopSupervisor } from '../../../../src/cli/supervisor/client/stop-supervisor.ts';
import { attachResult } from '../../../../src/cli/supervisor/supervisor-protocol.ts';
import { EXIT } from '../../../../src/contracts/exit-codes.ts';
import { runtimeDirs, userDirs, type ProjectDirs } from '../../../../src/contracts/host-layout.ts';
import { listen } from '../../../../src/ipc/index.ts';
import { startSupervisor } from '../../../support/cli/running-supervisor.ts';
import type { RunningSupervisor } from '../../../support/cli/running-supervisor.ts';

const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const closing: (() => Promise<unknown>)[] = [];
let root: string;
let dirs: ProjectDirs;
let runtime: string;
let env: Record<string, string>;

beforeEach(async () => {
  root = await mkdtemp('/tmp/fluffy-client-');
  env = { HOME: root, XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') };
  await mkdir(join(root, 'project'));
  ({ dirs } = await findState(userDirs(env), join(root, 'project')));
  await makeStateDirectories(dirs, me);
  runtime = await prepareRuntimeRoot({ host: dirs.host, projectId: dirs.id, stateHome: root }, undefined);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(root, { recursive: true, force: true });
  await rm(runtime, { recursive: true, force: true });
});

const attach = (projectRoot = join(root, 'project'), allowRoot = true) =>
  attachKernel({ projectRoot, env, allowRoot, repoRoot: root, onProgress: () => undefined });

async function supervise(sessions = 0): Promise<RunningSupervisor> {
  const running = await startSupervisor(dirs, runtime, sessions);
  closing.push(() => running.close());
  return running;
}

async function attachAnother(digest = 'd'): Promise<void> {
  const peer = await connectSupervisor(runtimeDirs(runtime).supervisorSocket, () => undefined);
  await peer.request('attach', { settings_digest: digest }, { result: attachResult });
  closing.push(() => {
    peer.close();
    return peer.closed;
  });
}

describe('nobody attaches to', () => {
  test('a project of root without the permission to work as root', async () => {
    await expect(attach('/usr', false)).rejects.toMatchObject({ code: 'project_owned_by_root' });
  });

  test("a project that contains fluffy's own state", async () => {
    await expect(attach(root)).rejects.toMatchObject({ code: 'project_unsuitable', exitCode: EXIT.usage });
  });

  test('a supervisor whose directory others may write to', async () => {
    await supervise();
    await chmod(runtime, 0o777);
    await expect(attach()).rejects.toMatchObject({ code: 'directory_unsafe' });
  });

  test('a kernel with other settings that somebody uses', async () => {
    await supervise();
    await attachAnother();
    await expect(attach()).rejects.toMatchObject({ code: 'supervisor_busy', exitCode: EXIT.usage });
  });
});

describe('a supervisor without work to do', () => {
  test.each([
    ['ends when it is asked to', 0, false, true],
    ['stays while somebody is attached', 0, true, false],
    ['stays while a session runs', 1, false, false],
  ])('%s', async (_what, sessions, attached, ends) => {
    const { over } = await supervise(sessions);
    if (attached) await attachAnother();
    expect(await stopIdleSupervisor(dirs)).toBe(ends);
    if (ends) await over;
    expect(existsSync(runtimeDirs(runtime).supervisorSocket)).toBe(!ends);
  });

  test('is no condition of stopping it', async () => {
    expect(await stopIdleSupervisor(dirs)).toBe(true);
    await expect(stopSupervisor(dirs)).resolves.toBeUndefined();
    await rm(join(dirs.host, 'runtime.json'));
    expect(await stopIdleSupervisor(dirs)).toBe(true);
    await expect(stopSupervisor(dirs)).resolves.toBeUndefined();
  });
});

describe('the socket of the kernel that runs now', () => {
  const serve = async () => {
    await mkdir(dirname(runtimeDirs(runtime).cliSocket), { mode: 0o700 });
    const listener = await listen(runtimeDirs(runtime).cliSocket, { mode: 0o600, onConnection: () => undefined });
    closing.push(() => listener.close());
  };

  test('is known while it is served', async () => {
    expect(await runningKernelSocket(dirs)).toBeNull();
    await serve();
    expect(await runningKernelSocket(dirs)).toBe(runtimeDirs(runtime).cliSocket);
  });

  test.each<readonly [string, () => Promise<unknown>]>([
    ['a directory that others may write to', () => chmod(runtime, 0o777)],
    ['a directory that is not recorded', () => rm(join(dirs.host, 'runtime.json'))],
  ])('is not used in %s', async (_what, change) => {
    await serve();
    await change();
    expect(await runningKernelSocket(dirs)).toBeNull();
  });
});
