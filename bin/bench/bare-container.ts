import { createEngineClient } from '../../src/host/runtime-guard/engine-client.ts';
import type { EngineAnswer, EngineClient } from '../../src/host/runtime-guard/engine-client.ts';
import { detectRuntime } from '../../src/bootstrap/detect-runtime.ts';
import { readHostSystem } from '../../src/host/setup/host-system.ts';
import { readImageManifest } from '../../src/host/images/image-records.ts';

/** The least that an engine can do with an image: a container made, started, waited for and removed, with nothing asked of it. */
export interface BareContainers {
  /** Resolves when it is gone. */
  once(command: readonly string[]): Promise<void>;
}

/** `stateHome` is where set-up noted the images that it made. */
export async function openBareContainers(image: string, stateHome: string): Promise<BareContainers> {
  const { images } = await readImageManifest(stateHome);
  const id = images[image]?.id;
  if (id === undefined) throw new Error(`set-up made no image ${image}`);
  const engine = createEngineClient(await detectRuntime(process.env, readHostSystem(process.env['PATH'])));
  return { once: (command) => runOnce(engine, id, command) };
}

async function runOnce(engine: EngineClient, image: string, command: readonly string[]): Promise<void> {
  const made = await engine.call('POST', '/containers/create', {
    body: { Image: image, Entrypoint: command, HostConfig: { NetworkMode: 'none' } },
  });
  const container = idOf(made);
  try {
    expect(await engine.call('POST', `/containers/${container}/start`));
    expect(await engine.call('POST', `/containers/${container}/wait`));
  } finally {
    expect(await engine.call('DELETE', `/containers/${container}?force=true`));
  }
}

function idOf(answer: EngineAnswer): string {
  expect(answer);
  const { Id } = answer.body as { Id?: unknown };
  if (typeof Id !== 'string') throw new Error('the engine made a container and did not say which');
  return Id;
}

function expect({ status, body }: EngineAnswer): void {
  if (status >= 300) throw new Error(`the engine answered ${status}: ${JSON.stringify(body)}`);
}
