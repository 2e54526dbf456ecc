import { containerListSchema, ownLabelsOf, volumeListSchema } from './engine-answers.ts';
import type { EngineClient } from './engine-client.ts';
import { isOurs, isOurSandbox, ownLabels, type GuardWorld } from './guard-world.ts';

export interface OwnedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Labels: Readonly<Record<string, string>>;
}
export interface OwnedVolume {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
}

/** Sandboxes of this project, in every state. The engine's own filter is not trusted alone: labels are looked at again. */
export async function listContainers(engine: EngineClient, world: GuardWorld): Promise<OwnedContainer[]> {
  const { status, body } = await engine.call('GET', `/containers/json?all=1&filters=${labelFilter(world)}`);
  if (status !== 200) throw new Error(`the engine lists no containers (${status})`);
  return containerListSchema
    .parse(body)
    .filter(({ Labels }) => isOurSandbox(Labels, world))
    .map(({ Id, State, Labels }) => ({ Id, State: State ?? '', Labels: ownLabelsOf(Labels) }));
}

/** Workspaces of this project. */
export async function listVolumes(engine: EngineClient, world: GuardWorld): Promise<OwnedVolume[]> {
  return (await allVolumes(engine, world))
    .filter(({ Labels }) => isOurSandbox(Labels, world))
    .map(({ Name, Labels }) => ({ Name, Labels: ownLabelsOf(Labels) }));
}

/** Removes every sandbox and volume of this project and instance, a dead supervisor's too. Resolves to how many there were. */
export async function removeAllOwned(engine: EngineClient, world: GuardWorld): Promise<number> {
  const containers = await listContainers(engine, world);
  await Promise.all(containers.map(({ Id }) => engine.call('DELETE', `/containers/${Id}?force=1&v=1`)));
  const volumes = await allVolumes(engine, world);
  await Promise.all(volumes.map(({ Name }) => removeVolume(engine, Name)));
  return containers.length + volumes.length;
}

export async function removeVolume(engine: EngineClient, name: string): Promise<void> {
  await engine.call('DELETE', `/volumes/${encodeURIComponent(name)}`);
}

async function allVolumes(engine: EngineClient, world: GuardWorld) {
  const { status, body } = await engine.call('GET', `/volumes?filters=${labelFilter(world)}`);
  if (status !== 200) throw new Error(`the engine lists no volumes (${status})`);
  return (volumeListSchema.parse(body).Volumes ?? []).filter(({ Labels }) => isOurs(Labels, world));
}

function labelFilter(world: GuardWorld): string {
  const label = Object.entries(ownLabels(world)).map(([name, value]) => `${name}=${value}`);
  return encodeURIComponent(JSON.stringify({ label }));
}
