import type { EgressAttempt } from '../../contracts/sandbox/package-managers.ts';
import { createContainer, type CreateContainerOptions } from './create-container.ts';
import { filterInspect, ownedSchema } from './engine-answers.ts';
import { isOurSandbox } from './guard-context.ts';
import type { ContainerAction } from './guard-call.ts';
import type { GuardReply } from './guard-server.ts';
import { createKeptContainers } from './kept-containers.ts';
import { removeContainer } from './owned-objects.ts';

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
  /** Connections that a sandbox of this guard has requested; empty for an unknown sandbox. */
  egress(sandbox: string): readonly EgressAttempt[];
  releaseAll(): Promise<void>;
}

const MAX_LOG_BYTES = 32 * 1024 * 1024;

/**
 * L2 containers, from create to remove. Their directories and service sockets stay open here for as long as the engine knows them. The guard, not the
 * kernel, limits how many a kernel may have and how long one may exist.
 */
export function createContainerCalls(options: CreateContainerOptions): ContainerCalls {
  const { engine, context } = options;
  const kept = createKeptContainers();

  /** Inspects the container itself each time, because an id alone proves nothing. */
  const lookAt = async (id: string): Promise<{ kind: 'ours'; body: unknown } | { kind: 'not'; reply: GuardReply }> => {
    const { status, body } = await engine.call('GET', `/containers/${id}/json`);
    if (status === 404) {
      await kept.dropById(id);
      return { kind: 'not', reply: { kind: 'json', status: 404, body: { message: 'no such container' } } };
    }
    const found = ownedSchema.safeParse(body);
    if (!found.success || !isOurSandbox(found.data.Config.Labels, context))
      return { kind: 'not', reply: { kind: 'refused', reason: 'not a container of this project' } };
    return { kind: 'ours', body };
  };

  return {
    create: (body) => createContainer(options, kept, body),

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
      if (status === 204 || status === 404) await kept.dropById(id);
      return status === 204 ? { kind: 'empty', status } : { kind: 'engine-error', status, body };
    },

    async act(id, action, query, signal) {
      const found = await lookAt(id);
      if (found.kind === 'not') return found.reply;
      // The directories of an earlier guard's container are no longer held, so its mounts could be anything now.
      if (action === 'start' && !kept.hasId(id))
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

    egress: (sandbox) => kept.attempts(sandbox),
    releaseAll: () => kept.dropAll(),
  };
}

function waitAnswer(body: unknown): unknown {
  const code = typeof body === 'object' && body !== null && 'StatusCode' in body ? body.StatusCode : null;
  return { StatusCode: code };
}
