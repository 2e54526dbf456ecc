import { setTimeout as sleep } from 'node:timers/promises';
import { containerListSchema, ownLabelsOf, volumeListSchema } from './engine-answers.ts';
import type { EngineAnswer, EngineClient } from './engine-client.ts';
import { isOurs, isOurSandbox, ownLabels, type GuardContext } from './guard-context.ts';

const ATTEMPTS = 50;
const PAUSE_MS = 100;

export interface OwnedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Labels: Readonly<Record<string, string>>;
}
export interface OwnedVolume {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
}

/** Sandboxes of this project, in every state. The engine's own filter is not trusted: labels are checked again. */
export async function listContainers(engine: EngineClient, context: GuardContext): Promise<OwnedContainer[]> {
  const { status, body } = await engine.call('GET', `/containers/json?all=1&filters=${labelFilter(context)}`);
  if (status !== 200) throw new Error(`the engine lists no containers (${status})`);
  return containerListSchema
    .parse(body)
    .filter(({ Labels }) => isOurSandbox(Labels, context))
    .map(({ Id, State, Labels }) => ({ Id, State: State ?? '', Labels: ownLabelsOf(Labels) }));
}

/** Workspaces of this project. */
export async function listVolumes(engine: EngineClient, context: GuardContext): Promise<OwnedVolume[]> {
  return (await allVolumes(engine, context))
    .filter(({ Labels }) => isOurSandbox(Labels, context))
    .map(({ Name, Labels }) => ({ Name, Labels: ownLabelsOf(Labels) }));
}

/** Removes every sandbox and volume of this project and instance, also those of a dead supervisor. Resolves to their number. */
export async function removeAllOwned(engine: EngineClient, context: GuardContext): Promise<number> {
  const containers = await listContainers(engine, context);
  await Promise.all(containers.map(({ Id }) => removeContainer(engine, Id, true)));
  const volumes = await allVolumes(engine, context);
  await Promise.all(volumes.map(({ Name }) => removeVolume(engine, Name)));
  return containers.length + volumes.length;
}

/** Kills (with `force`) and removes a container. One that another process is removing counts as removed once it is gone. */
export async function removeContainer(engine: EngineClient, id: string, force: boolean): Promise<EngineAnswer> {
  const answer = await engine.call('DELETE', `/containers/${id}?v=1${force ? '&force=1' : ''}`);
  if (answer.status !== 409 || !force) return answer;
  const isGone = await eventually(async () => (await engine.call('GET', `/containers/${id}/json`)).status === 404);
  return isGone ? { status: 204, body: null } : answer;
}

/** The engine keeps a volume in use for a moment after its container has gone. */
export async function removeVolume(engine: EngineClient, name: string): Promise<void> {
  const path = `/volumes/${encodeURIComponent(name)}`;
  await eventually(async () => (await engine.call('DELETE', path)).status !== 409);
}

async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await holds()) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

async function allVolumes(engine: EngineClient, context: GuardContext) {
  const { status, body } = await engine.call('GET', `/volumes?filters=${labelFilter(context)}`);
  if (status !== 200) throw new Error(`the engine lists no volumes (${status})`);
  return (volumeListSchema.parse(body).Volumes ?? []).filter(({ Labels }) => isOurs(Labels, context));
}

function labelFilter(context: GuardContext): string {
  const label = Object.entries(ownLabels(context)).map(([name, value]) => `${name}=${value}`);
  return encodeURIComponent(JSON.stringify({ label }));
}
