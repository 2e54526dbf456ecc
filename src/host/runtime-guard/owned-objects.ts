import { LABELS } from '../../contracts/guard-api.ts';
import { containerListSchema, ownLabelsOf, volumeListSchema } from './engine-answers.ts';
import type { EngineClient } from './engine-client.ts';
import { isOurSandbox, ownLabels, type GuardWorld } from './guard-world.ts';

export interface OwnedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Labels: Readonly<Record<string, string>>;
}
export interface OwnedVolume {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
}

/** Sandboxes of this guard, in every state. The engine's own filter is not trusted alone: labels are looked at again. */
export async function listContainers(engine: EngineClient, world: GuardWorld): Promise<OwnedContainer[]> {
  const { status, body } = await engine.call('GET', `/containers/json?all=1&filters=${labelFilter(world)}`);
  if (status !== 200) throw new Error(`the engine lists no containers (${status})`);
  return containerListSchema
    .parse(body)
    .filter(({ Labels }) => isOurSandbox(Labels, world))
    .map(({ Id, State, Labels }) => ({ Id, State: State ?? '', Labels: ownLabelsOf(Labels) }));
}

export async function listVolumes(engine: EngineClient, world: GuardWorld): Promise<OwnedVolume[]> {
  const { status, body } = await engine.call('GET', `/volumes?filters=${labelFilter(world)}`);
  if (status !== 200) throw new Error(`the engine lists no volumes (${status})`);
  return (volumeListSchema.parse(body).Volumes ?? [])
    .filter(({ Labels }) => isOurSandbox(Labels, world))
    .map(({ Name, Labels }) => ({ Name, Labels: ownLabelsOf(Labels) }));
}

/** Removes every sandbox and workspace of this project and instance, a dead supervisor's too. Resolves to how many there were. */
export async function removeAllOwned(engine: EngineClient, world: GuardWorld): Promise<number> {
  const containers = await listContainers(engine, world);
  await Promise.all(containers.map(({ Id }) => engine.call('DELETE', `/containers/${Id}?force=1&v=1`)));
  const volumes = await listVolumes(engine, world);
  await Promise.all(volumes.map(({ Name }) => engine.call('DELETE', `/volumes/${encodeURIComponent(Name)}`)));
  return containers.length + volumes.length;
}

function labelFilter(world: GuardWorld): string {
  const labels = { ...ownLabels(world), [LABELS.role]: 'sandbox' };
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return encodeURIComponent(JSON.stringify({ label }));
}
