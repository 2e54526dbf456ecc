import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { PolicyRequest } from '../../../src/contracts/policy.ts';
import { readImageManifest } from '../../../src/host/images/image-records.ts';
import { createEngineClient } from '../../../src/host/runtime-guard/engine-client.ts';
import { listContainers } from '../../../src/host/runtime-guard/owned-objects.ts';
import type { SandboxLifecycle } from '../../../src/kernel/sandbox/index.ts';
import { ENGINE, UID, startGuardFixture } from '../support/guard-fixture.ts';
import type { GuardFixture } from '../support/guard-fixture.ts';
import type { OwnerSetup } from '../sandbox/owned-manager.ts';
import type { Asked, RunnerRequest } from './runner-process.ts';

export const WRITE: PolicyRequest = {
  syscall: 'fs.write',
  path: 'src/a.ts',
  state: 'code_writing',
  mode: 'strict',
  tags: ['core_plugin'],
};

const ANSWERED_WITHIN_MS = 20_000;

/** The image that set-up built, in a guard of the test's own. */
export async function policyImage(): Promise<string> {
  const { images } = await readImageManifest(userDirs(process.env).stateHome);
  const id = images['policy-sandbox']?.id;
  if (id === undefined) throw new Error('the image policy-sandbox has not been built: fluffy image build');
  return id;
}

export interface RunnerFixture {
  readonly guard: GuardFixture;
  readonly events: SandboxLifecycle[];
  /** What the runner told of failures. */
  readonly failures: string[];
  follow(extensions: Readonly<Record<string, string>>): Promise<void>;
  ask(request?: PolicyRequest): Promise<Asked>;
  /** As `ask`, again and again until every extension has answered: a machine with other work to do makes an honest one late, too. */
  answered(request?: PolicyRequest): Promise<Asked>;
  containers(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startRunner(): Promise<RunnerFixture> {
  const image = await policyImage();
  const guard = await startGuardFixture(image, { context: { images: { 'policy-sandbox': image } } });
  // The runner runs as the project's owner and has to get to its own directories.
  await chmod(guard.root, 0o711);
  const setup: OwnerSetup = {
    uid: UID,
    stateDir: guard.state,
    runDir: guard.run,
    projectRoot: guard.project,
    guardSocket: guard.socket,
  };
  const events: SandboxLifecycle[] = [];
  const failures: string[] = [];
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  const child: ChildProcess = fork(join(import.meta.dirname, 'runner-process.ts'), [JSON.stringify(setup)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'] },
  });
  child.on('message', (message: Message) => {
    if ('ready' in message) ready.resolve();
    else if ('event' in message) events.push(message.event);
    else if ('failure' in message) failures.push(message.failure);
    else if ('error' in message) waiting.get(message.id)?.reject(new Error(message.error));
    else waiting.get(message.id)?.resolve(message.result);
  });
  child.once('exit', () => {
    for (const one of waiting.values()) one.reject(new Error('the runner is gone'));
  });
  let count = 0;
  const tell = async (request: RunnerRequest): Promise<unknown> => {
    count += 1;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(count, answered);
    child.send({ id: count, ...request });
    return answered.promise;
  };
  await ready.promise;
  const ask = async (request = WRITE): Promise<Asked> => (await tell({ call: 'ask', request })) as Asked;
  return {
    guard,
    events,
    failures,
    follow: async (extensions) => void (await tell({ call: 'follow', extensions })),
    ask,
    answered: async (request = WRITE) => {
      const until = performance.now() + ANSWERED_WITHIN_MS;
      for (;;) {
        const asked = await ask(request);
        if (asked.results.every(({ kind }) => kind === 'answered')) return asked;
        if (performance.now() > until) throw new Error(asked.reasons.join('; '));
        await delay(50);
      }
    },
    containers: async () => (await listContainers(createEngineClient(ENGINE), guard.context)).map(({ Id }) => Id),
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await guard.close();
    },
  };
}

type Message =
  | { readonly ready: true }
  | { readonly event: SandboxLifecycle }
  | { readonly failure: string }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly result: unknown };
