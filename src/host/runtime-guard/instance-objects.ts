import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import { containerListSchema, volumeListSchema } from './engine-answers.ts';
import type { EngineClient } from './engine-client.ts';
import { INSTANCE_LABEL } from './guard-context.ts';
import { removeContainer, removeVolume } from './owned-objects.ts';

/** Containers and volumes of one project, of every role, also the kernel's own. */
export interface ProjectObjects {
  readonly containers: readonly string[];
  readonly volumes: readonly string[];
}

const PROJECT_ID = /^[0-9a-f]{16}$/;

/** The engine's objects of one state directory (`instance`), by project. */
export async function objectsOfInstance(
  engine: EngineClient,
  instance: string,
): Promise<ReadonlyMap<string, ProjectObjects>> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`${INSTANCE_LABEL}=${instance}`] }));
  const containers = await engine.call('GET', `/containers/json?all=1&filters=${filters}`);
  const volumes = await engine.call('GET', `/volumes?filters=${filters}`);
  if (containers.status !== 200 || volumes.status !== 200) throw new Error('the engine does not list what it has');
  const found = new Map<string, { containers: string[]; volumes: string[] }>();
  const ofProject = (labels: Readonly<Record<string, string>> | null | undefined) => {
    const project = labels?.[LABELS.project] ?? '';
    // The engine's own filter is not trusted; the labels are checked again.
    if (labels?.[INSTANCE_LABEL] !== instance || !PROJECT_ID.test(project)) return null;
    const objects = found.get(project) ?? { containers: [], volumes: [] };
    found.set(project, objects);
    return objects;
  };
  for (const { Id, Labels } of containerListSchema.parse(containers.body)) ofProject(Labels)?.containers.push(Id);
  for (const { Name, Labels } of volumeListSchema.parse(volumes.body).Volumes ?? [])
    ofProject(Labels)?.volumes.push(Name);
  return found;
}

/** Kills and removes containers, then volumes. Resolves to the number of objects. */
export async function removeObjects(engine: EngineClient, objects: ProjectObjects): Promise<number> {
  await Promise.all(objects.containers.map((id) => removeContainer(engine, id, true)));
  await Promise.all(objects.volumes.map((name) => removeVolume(engine, name)));
  return objects.containers.length + objects.volumes.length;
}
