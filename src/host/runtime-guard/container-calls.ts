import { TEMPLATES, type ResourceLimits } from '../../contracts/sandbox-templates.ts';
import { guardContainerCreateSchema } from '../../contracts/guard-api.ts';
import { buildContainer } from './build-container.ts';
import { createdSchema, filterInspect, ownedSchema } from './engine-answers.ts';
import type { ContainerAction } from './guard-call.ts';
import type { GuardReply } from './guard-server.ts';
import { engineName, isOurSandbox } from './guard-context.ts';
import { removeContainer } from './owned-objects.ts';
import { planContainer, type ContainerPlan } from './plan-container.ts';
import { createReleaseStack, type ReleaseStack } from './release-stack.ts';
import { makeSandboxVolumes, type SandboxVolumesOptions } from './sandbox-volumes.ts';
import type { BoundedLog } from './bounded-log.ts';
import { totalExceeded, type Totals } from './totals.ts';

export interface ContainerCalls {
  create(body: unknown): Promise<GuardReply>;
  inspect(id: string): Promise<GuardReply>;
  logs(id: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<GuardReply>;
  remove(id: string, query: Readonly<Record<string, string>>): Promise<GuardReply>;
  act(
    id: string,
    action: ContainerAction,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GuardReply>;
  releaseAll(): Promise<void>;
}

interface Kept {
  /** The engine's id; null while it is being made. */
  id: string | null;
  readonly limits: ResourceLimits;
  readonly releases: ReleaseStack;
}

const MAX_LOG_BYTES = 32 * 1024 * 1024;

export interface ContainerCallsOptions extends SandboxVolumesOptions {
  readonly totals: Totals;
  /** Runs an action once, after a time; answers with what cancels it. */
  readonly after: (ms: number, action: () => void) => () => void;
  readonly log: BoundedLog;
}

/**
 * L2 containers, from create to remove. Their directories and service sockets stay open here for as long as the engine knows them. What a
 * kernel may have in all, and how long one may exist, is decided here and not by the kernel.
 */
export function createContainerCalls(options: ContainerCallsOptions): ContainerCalls {
  const { engine, context, totals, log } = options;
  /** By sandbox id. */
  const kept = new Map<string, Kept>();

  const drop = async (sandbox: string): Promise<void> => {
    const entry = kept.get(sandbox);
    kept.delete(sandbox);
    await entry?.releases.release();
  };
  const dropById = async (id: string): Promise<void> => {
    for (const [sandbox, entry] of [...kept]) if (entry.id === id) await drop(sandbox);
  };

  const make = async (plan: ContainerPlan, entry: Kept): Promise<GuardReply> => {
    const made = await makeSandboxVolumes(plan, options, entry.releases);
    if (made.kind === 'not') return made.reply;
    const name = engineName(context, plan.request.sandbox);
    const { status, body } = await engine.call('POST', `/containers/create?name=${name}`, {
      body: buildContainer(plan, context, made.volumes),
    });
    if (status !== 201) return { kind: 'engine-error', status, body };
    const id = createdSchema.parse(body).Id;
    entry.id = id;
    endInTime(plan, entry, id);
    return { kind: 'json', status: 201, body: { Id: entry.id, Warnings: [] } };
  };

  /** The kernel has deadlines of its own; this one holds when it has been taken over, or waits for ever. */
  const endInTime = ({ request }: ContainerPlan, { releases }: Kept, id: string): void => {
    const { maxAgeMs } = TEMPLATES[request.template];
    if (maxAgeMs === null) return;
    const cancel = options.after(maxAgeMs, () => {
      log.write({ event: 'too-old', sandbox: request.sandbox, program: request.program });
      void removeContainer(engine, id, true).catch(() => undefined);
    });
    releases.add(() => Promise.resolve(cancel()));
  };

  /** Looks at the container itself, each time: an id alone proves nothing. */
  const lookAt = async (id: string): Promise<{ kind: 'ours'; body: unknown } | { kind: 'not'; reply: GuardReply }> => {
    const { status, body } = await engine.call('GET', `/containers/${id}/json`);
    if (status === 404) {
      await dropById(id);
      return { kind: 'not', reply: { kind: 'json', status: 404, body: { message: 'no such container' } } };
    }
    const found = ownedSchema.safeParse(body);
    if (!found.success || !isOurSandbox(found.data.Config.Labels, context))
      return { kind: 'not', reply: { kind: 'refused', reason: 'not a container of this project' } };
    return { kind: 'ours', body };
  };

  return {
    async create(body) {
      const parsed = guardContainerCreateSchema.safeParse(body);
      if (!parsed.success) return { kind: 'refused', reason: 'not a container request' };
      const outcome = planContainer(parsed.data, context);
      if (outcome.kind === 'refused') return outcome;
      const { sandbox } = parsed.data;
      if (kept.has(sandbox)) return conflict('this sandbox has a container already');
      const { limits } = outcome.plan;
      const exceeded = totalExceeded(
        [...kept.values()].map((entry) => entry.limits),
        limits,
        totals,
      );
      if (exceeded !== null) return conflict(exceeded);
      const entry: Kept = { id: null, limits, releases: createReleaseStack() };
      kept.set(sandbox, entry);
      const reply = await make(outcome.plan, entry).catch(async (error: unknown) => {
        await drop(sandbox);
        throw error;
      });
      if (entry.id === null) await drop(sandbox);
      return reply;
    },

    async inspect(id) {
      const found = await lookAt(id);
      if (found.kind === 'not') return found.reply;
      return { kind: 'json', status: 200, body: filterInspect(found.body, context) };
    },

    async logs(id, query, signal) {
      const found = await lookAt(id);
      if (found.kind === 'not') return found.reply;
      const response = await engine.stream(`/containers/${id}/logs?${new URLSearchParams(query).toString()}`, signal);
      if (response.statusCode !== 200) {
        response.resume();
        return { kind: 'json', status: response.statusCode ?? 500, body: { message: 'the engine has no logs of it' } };
      }
      const contentType = response.headers['content-type'] ?? 'application/octet-stream';
      return { kind: 'stream', body: response, contentType, maxBytes: MAX_LOG_BYTES };
    },

    async remove(id, query) {
      const found = await lookAt(id);
      if (found.kind === 'not') return found.reply;
      const { status, body } = await removeContainer(engine, id, query['force'] === 'true' || query['force'] === '1');
      if (status === 204 || status === 404) await dropById(id);
      return status === 204 ? { kind: 'empty', status } : { kind: 'engine-error', status, body };
    },

    async act(id, action, query, signal) {
      const found = await lookAt(id);
      if (found.kind === 'not') return found.reply;
      // Of an earlier guard's container the directories are no longer held: its mounts could name anything by now.
      if (action === 'start' && ![...kept.values()].some((entry) => entry.id === id))
        return { kind: 'refused', reason: 'not a container made by this guard' };
      const suffix = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
      const { status, body } = await engine.call('POST', `/containers/${id}/${action}${suffix}`, {
        signal,
        ...(action === 'wait' && { timeoutMs: 0 }),
      });
      if (status === 204 || status === 304) return { kind: 'empty', status };
      if (status === 200) return { kind: 'json', status, body: waitAnswer(body) };
      return { kind: 'engine-error', status, body };
    },

    async releaseAll() {
      for (const sandbox of [...kept.keys()]) await drop(sandbox);
    },
  };
}

function waitAnswer(body: unknown): unknown {
  const code = typeof body === 'object' && body !== null && 'StatusCode' in body ? body.StatusCode : null;
  return { StatusCode: code };
}

function conflict(message: string): GuardReply {
  return { kind: 'json', status: 409, body: { message } };
}
