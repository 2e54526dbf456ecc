import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from '../../../src/bootstrap/bootstrap-error.ts';
import { detectRuntime } from '../../../src/bootstrap/detect-runtime.ts';
import { attachKernel } from '../../../src/cli/supervisor/client/client.ts';
import { ownDirectory } from '../../../src/cli/supervisor/owned-directory.ts';
import { findState } from '../../../src/cli/project-state/find-state.ts';
import { prepareRuntimeRoot, removeRuntimeRoot } from '../../../src/cli/supervisor/runtime-directory.ts';
import { makeStateDirectories } from '../../../src/cli/supervisor/state-directories.ts';
import { placeReplaced } from '../../../src/cli/supervisor/supervisor-protocol.ts';
import { projectImages } from '../../../src/cli/supervisor/sandbox-images.ts';
import { callEngine, expectEngine } from '../../../src/host/images/engine-api.ts';
import { readImageContext } from '../../../src/host/images/image-context.ts';
import { projectImage } from '../../../src/host/images/project/project-image.ts';
import { pullImage } from '../../../src/host/images/pull-image.ts';
import { diskFull } from '../../../src/lib/disk-full.ts';
import { lostDatabase } from '../../../src/kernel/start/start-notices.ts';
import { connect, connectPeer, encodeFrame, listen } from '../../../src/ipc/index.ts';
import { startSupervisor } from '../../support/cli/running-supervisor.ts';
import { startFakeImageEngine } from '../../support/images/fake-image-engine.ts';
import { makeFixtureMachine } from '../../support/machine-states.ts';
import type { MachineState } from '../../support/machine-states.ts';
import type { ErrorBench, Provocations, Provoke } from './bench.ts';

/** A start on a machine that has this and nothing else. */
const onMachine =
  (state: MachineState, env: Readonly<Record<string, string>> = {}): Provoke =>
  (bench) =>
    bench.starting(async () => {
      const machine = await makeFixtureMachine(state);
      bench.later(() => machine.remove());
      return detectRuntime(env, machine.system(`${machine.root}/usr/bin:${machine.root}/usr/sbin`, true));
    });

const socketIn = (bench: ErrorBench, name = 'a.sock'): string => join(bench.home, name);
const listening = { mode: 0o600, onConnection: () => undefined };

/** What the host's part fails with before there is a kernel: engine, images, sockets, directories. */
export const HOST_ERRORS: Provocations = {
  home_unusable: (bench) => bench.cli(['session', 'list'], { env: { HOME: '/etc/passwd' } }),
  database_lost: (bench) =>
    bench.starting(() => {
      const unsigned = { otherLog: true, why: 'the host signed 10 records, and there is none' };
      return Promise.reject(lostDatabase({ unsigned, sessions: 0 }) ?? new Error('it is not lost'));
    }),
  directory_unsafe: (bench) =>
    bench.starting(async () => {
      const directory = join(bench.home, 'open');
      mkdirSync(directory);
      chmodSync(directory, 0o777);
      return ownDirectory(directory, { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
    }),
  disk_full: (bench) => bench.starting(() => Promise.reject(diskFull('/state'))),
  engine_address_unreachable: onMachine({}, { DOCKER_HOST: 'unix:///nowhere/engine.sock' }),
  engine_address_unsupported: onMachine({}, { DOCKER_HOST: 'tcp://127.0.0.1:2375' }),
  engine_missing: onMachine({ programs: ['usr/bin/docker'] }),
  engine_not_running: onMachine({ programs: ['usr/sbin/dockerd'] }),
  engine_refused: (bench) =>
    bench.starting(async () => {
      const engine = await startFakeImageEngine(socketIn(bench));
      bench.later(() => engine.close());
      return expectEngine(engine, { method: 'GET', path: '/novel' });
    }),
  engine_too_old: onMachine({ engines: { 'var/run/docker.sock': '1.24' } }),
  engine_unreachable: (bench) =>
    bench.starting(() => callEngine({ socketPath: socketIn(bench) }, { method: 'GET', path: '/_ping' })),
  image_input_missing: (bench) =>
    bench.starting(() => {
      const recipe = join(bench.home, 'sandbox-images/kernel');
      mkdirSync(recipe, { recursive: true });
      writeFileSync(join(recipe, 'Dockerfile'), 'FROM base\n');
      writeFileSync(join(recipe, 'context.json'), '{ "copy": [{ "from": "dist/kernel.mjs", "to": "opt" }] }');
      return readImageContext(bench.home, 'kernel', 'linux/amd64');
    }),
  image_not_pulled: (bench) =>
    bench.starting(async () => {
      const engine = await startFakeImageEngine(socketIn(bench));
      bench.later(() => engine.close());
      return pullImage(engine, 'stack:1', { onProgress: () => undefined });
    }),
  image_unusable: (bench) =>
    bench.starting(async () => {
      const engine = await startFakeImageEngine(socketIn(bench));
      bench.later(() => engine.close());
      const as = { uid: 1000, gid: 1000, seccomp: '{}', programs: '/opt' };
      return projectImage(
        { reference: 'stack:1', id: `sha256:${'a'.repeat(64)}` },
        { engine, projectRoot: '/p', ...as },
      );
    }),
  images_missing: (bench) =>
    bench.starting(async () => {
      const engine = await startFakeImageEngine(socketIn(bench));
      bench.later(() => engine.close());
      return projectImages({
        engine,
        stateHome: join(bench.home, 'state'),
        repoRoot: join(bench.home, 'checkout'),
        onProgress: () => undefined,
      });
    }),
  ipc_handshake_failed: (bench) =>
    bench.starting(async () => {
      const listener = await listen(socketIn(bench), { mode: 0o600, onConnection: (socket) => socket.end('novel\n') });
      bench.later(() => listener.close());
      const { CLI_HELLO } = await import('../../../src/cli/cli-hello.ts');
      return connectPeer(socketIn(bench), { hello: CLI_HELLO });
    }),
  ipc_unsendable: (bench) =>
    bench.starting(() => Promise.resolve().then(() => encodeFrame({ text: 'x'.repeat(64 * 1024 * 1024) }))),
  kernel_crashed: (bench) =>
    bench.starting(() => Promise.reject(new BootstrapError('kernel_crashed', 'exit code 70', 'run `fluffy doctor`'))),
  kernel_not_started: (bench) =>
    bench.starting(() =>
      Promise.reject(new BootstrapError('kernel_not_started', 'exit code 1', 'run `fluffy doctor`')),
    ),
  socket_in_use: (bench) =>
    bench.starting(async () => {
      const listener = await listen(socketIn(bench), listening);
      bench.later(() => listener.close());
      return listen(socketIn(bench), listening);
    }),
  socket_path_too_long: (bench) => bench.starting(() => listen(socketIn(bench, 'x'.repeat(120)), listening)),
  socket_unreachable: (bench) => bench.starting(() => connect(socketIn(bench))),
  socket_unusable: (bench) => {
    writeFileSync(socketIn(bench), 'precious');
    return bench.starting(() => listen(socketIn(bench), listening));
  },
  supervisor_failed: (bench) => bench.starting(() => Promise.reject(new Error('the test says so'))),
  unforeseen: (bench) =>
    bench.task(bench.project().root, {}, () => Promise.reject(new TypeError('undefined is not a function'))),
  project_owned_by_root: (bench) => bench.starting(() => attach(bench, '/usr')),
  project_replaced: (bench) =>
    bench.starting(() => Promise.reject(placeReplaced({ kind: 'replaced', what: 'project', why: 'it was moved' }))),
  state_replaced: (bench) =>
    bench.starting(() =>
      Promise.reject(placeReplaced({ kind: 'replaced', what: 'state directory', why: 'it was moved' })),
    ),
  supervisor_busy: (bench) =>
    bench.starting(async () => {
      const root = join(bench.home, 'project');
      mkdirSync(root);
      const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
      const { dirs } = await findState(bench.user, root);
      await makeStateDirectories(dirs, me);
      const place = { host: dirs.host, projectId: dirs.id, stateHome: bench.user.stateHome };
      const runtime = await prepareRuntimeRoot(place, undefined);
      bench.later(() => removeRuntimeRoot(dirs.host, runtime));
      const running = await startSupervisor(dirs, runtime, 1);
      bench.later(() => running.close());
      return attach(bench, root, true);
    }),
};

/** What a task does first: it looks for the supervisor of its project. */
function attach(bench: ErrorBench, projectRoot: string, allowRoot = false): Promise<unknown> {
  return attachKernel({ projectRoot, env: bench.env, allowRoot, repoRoot: bench.home, onProgress: () => undefined });
}
