import { guardVolumeCreateSchema, type GuardVolumeCreate } from '../../contracts/sandbox/guard-api.ts';
import { LAYER_PARTS } from '../../contracts/sandbox/package-managers.ts';
import { buildWorkspace } from './build-volume.ts';
import { volumeSchema } from './engine-answers.ts';
import type { EngineClient } from './engine-client.ts';
import { makeVolume } from './engine-volumes.ts';
import type { GuardReply } from './guard-server.ts';
import { engineName, isOurSandbox, type GuardContext } from './guard-context.ts';
import { openAbsolute, openBelow, type HeldDirectory, type OpenOutcome } from './held-directory.ts';
import { createReleaseStack, type ReleaseStack } from './release-stack.ts';

export interface VolumeCalls {
  create(body: unknown): Promise<GuardReply>;
  remove(name: string, query: Readonly<Record<string, string>>): Promise<GuardReply>;
  /** Whether this guard created the volume, so that its layers are held open. */
  has(name: string): boolean;
  releaseAll(): Promise<void>;
}

interface Kept {
  readonly slot: number;
  readonly releases: ReleaseStack;
}

/** Workspaces: overlay volumes whose layers stay open here for as long as the engine knows the volume. */
export function createVolumeCalls(options: {
  readonly engine: EngineClient;
  readonly context: GuardContext;
  readonly state: HeldDirectory;
}): VolumeCalls {
  const { engine, state } = options;
  const kept = new Map<string, Kept>();

  const drop = async (name: string): Promise<void> => {
    const entry = kept.get(name);
    kept.delete(name);
    await entry?.releases.release();
  };

  const make = async (request: GuardVolumeCreate, releases: ReleaseStack): Promise<GuardReply> => {
    const slot = String(request.slot);
    const layers = (request.layers ?? []).flatMap((layer) => LAYER_PARTS.map((part) => [layer, part] as const));
    const opened: Record<string, OpenOutcome> = {
      project: await openAbsolute(options.context.projectRoot),
      staging: await openBelow(state, ['staging', request.session]),
      upper: await openBelow(state, ['slots', slot, 'upper']),
      work: await openBelow(state, ['slots', slot, 'work']),
    };
    for (const [layer, part] of layers) opened[`${layer}/${part}`] = await openBelow(state, ['layers', layer, part]);
    const paths: Record<string, string> = {};
    const problems: string[] = [];
    for (const [name, outcome] of Object.entries(opened)) {
      if (outcome.kind === 'held') {
        releases.add(() => outcome.directory.close());
        paths[name] = outcome.directory.path;
      } else problems.push(problemOf(name, outcome));
    }
    const { project, staging, upper, work } = paths;
    if (project === undefined || staging === undefined || upper === undefined || work === undefined)
      return { kind: 'refused', reason: problems.join('; ') };

    const packages = layers.flatMap(([layer, part]) => paths[`${layer}/${part}`] ?? []);
    if (packages.length < layers.length) return { kind: 'refused', reason: problems.join('; ') };
    const wanted = buildWorkspace(request, options.context, { project, staging, packages, upper, work });
    const outcome = await makeVolume(engine, wanted);
    if (outcome.kind === 'engine-error') return outcome;
    if (outcome.kind === 'conflict') return conflict('a volume of this name is there already');
    return { kind: 'json', status: 201, body: { Name: wanted.Name } };
  };

  return {
    async create(body) {
      const parsed = guardVolumeCreateSchema.safeParse(body);
      if (!parsed.success) return { kind: 'refused', reason: 'not a volume request' };
      const request = parsed.data;
      const name = engineName(options.context, request.sandbox);
      if (kept.has(name)) return conflict('this sandbox has a workspace already');
      // Two overlays on one upper directory corrupt each other.
      if ([...kept.values()].some(({ slot }) => slot === request.slot)) return conflict('the slot is in use');
      const releases = createReleaseStack();
      kept.set(name, { slot: request.slot, releases });
      const reply = await make(request, releases).catch(async (error: unknown) => {
        await drop(name);
        throw error;
      });
      if (reply.kind !== 'json' || reply.status !== 201) await drop(name);
      return reply;
    },

    async remove(name, query) {
      const found = await engine.call('GET', `/volumes/${name}`);
      if (found.status === 404) {
        await drop(name);
        return { kind: 'json', status: 404, body: { message: 'no such volume' } };
      }
      const volume = volumeSchema.safeParse(found.body);
      if (!volume.success || !isOurSandbox(volume.data.Labels, options.context))
        return { kind: 'refused', reason: 'not a volume of this project' };
      const force = query['force'] === 'true' || query['force'] === '1' ? '?force=1' : '';
      const { status, body } = await engine.call('DELETE', `/volumes/${name}${force}`);
      if (status !== 204) return { kind: 'engine-error', status, body };
      await drop(name);
      return { kind: 'empty', status: 204 };
    },

    has: (name) => kept.has(name),

    async releaseAll() {
      for (const name of [...kept.keys()]) await drop(name);
    },
  };
}

function problemOf(name: string, outcome: Exclude<OpenOutcome, { kind: 'held' }>): string {
  return outcome.kind === 'missing' ? `${name}: missing` : `${name}: ${outcome.reason}`;
}

function conflict(message: string): GuardReply {
  return { kind: 'json', status: 409, body: { message } };
}
