import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { SandboxLifecycle } from '../../../src/kernel/sandbox/index.ts';
import { createEngineClient } from '../../../src/host/runtime-guard/engine-client.ts';
import { listContainers, listVolumes } from '../../../src/host/runtime-guard/owned-objects.ts';
import { ENGINE, UID, startGuardFixture } from '../support/guard-fixture.ts';
import type { GuardFixture } from '../support/guard-fixture.ts';
import { makeProbeImage } from '../support/probe-image.ts';
import { SESSION } from './manager-protocol.ts';
import type { ManagerRequest, ManagerSetup } from './manager-protocol.ts';

const root = join(import.meta.dirname, '../../..');

/** The real programs, bundled, and one that does everything a sandbox should not. */
export async function makeSandboxImage(): ReturnType<typeof makeProbeImage> {
  const program = async (path: string, entry: string) => ({ path, source: await bundle(join(root, entry)) });
  return makeProbeImage(
    await Promise.all([
      program('/opt/fluffy/tools/fs-tool.mjs', 'tool-plugins/fs-tool/main.ts'),
      program('/opt/fluffy/tools/shell-tool.mjs', 'tool-plugins/shell-tool/main.ts'),
      program('/opt/fluffy/tools/git-tool.mjs', 'test/docker/sandbox/hostile-tool.ts'),
      program('/opt/fluffy/providers/replay.mjs', 'src/providers/replay/main.ts'),
    ]),
    ['/bin/sh', '/bin/rm', '/usr/bin/env'],
  );
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['koffi'],
    banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}

export interface Answered<T> {
  readonly result: T;
}

export class ManagerProcess {
  readonly events: SandboxLifecycle[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answered<unknown>>>();
  readonly #ready = Promise.withResolvers<void>();
  #count = 0;

  constructor(setup: ManagerSetup) {
    this.#child = fork(join(import.meta.dirname, 'manager-process.ts'), [JSON.stringify(setup)], {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { PATH: process.env['PATH'] },
    });
    this.#child.on('message', (message: unknown) => this.#take(message as Message));
    this.#child.once('exit', () => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error('the manager is gone'));
    });
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  ask<T>(request: ManagerRequest): Promise<Answered<T>> {
    this.#count += 1;
    const answered = Promise.withResolvers<Answered<unknown>>();
    answered.promise.catch(() => undefined);
    this.#waiting.set(this.#count, answered);
    this.#child.send({ id: this.#count, ...request });
    return answered.promise as Promise<Answered<T>>;
  }

  async kill(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await gone;
  }

  #take(message: Message): void {
    if ('ready' in message) return this.#ready.resolve();
    if ('event' in message) return void this.events.push(message.event);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve({ result: message.result });
  }
}

type Message =
  | { readonly ready: true }
  | { readonly event: SandboxLifecycle }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly result: unknown };

export interface SandboxFixture {
  readonly guard: GuardFixture;
  start(): Promise<ManagerProcess>;
  /** Everything a sandbox could leave behind. */
  leftovers(): Promise<{ containers: number; volumes: number; directories: string[] }>;
  close(): Promise<void>;
}

export async function startSandboxFixture(image: string): Promise<SandboxFixture> {
  const guard = await startGuardFixture(image);
  // The manager runs as the project's owner and has to get to its own directories.
  await chmod(guard.root, 0o711);
  const processes: ManagerProcess[] = [];
  for (const slot of [0, 1]) await guard.prepareSlot(SESSION, slot);
  return {
    guard,
    start: async () => {
      const manager = new ManagerProcess({
        uid: UID,
        stateDir: guard.state,
        runDir: guard.run,
        projectRoot: guard.project,
        guardSocket: guard.socket,
        maxSlotBytes: 64 * 1024 * 1024,
      });
      processes.push(manager);
      await manager.ready;
      return manager;
    },
    leftovers: async () => {
      const engine = createEngineClient(ENGINE);
      const names = await Promise.all([join(guard.run, 'sbx'), join(guard.state, 'out')].map((path) => readdir(path)));
      return {
        containers: (await listContainers(engine, guard.context)).length,
        volumes: (await listVolumes(engine, guard.context)).length,
        directories: names.flat(),
      };
    },
    close: async () => {
      for (const manager of processes) await manager.kill();
      await guard.close();
    },
  };
}
