import { TEMPLATES } from '../../contracts/sandbox/sandbox-templates.ts';
import { guardContainerCreateSchema } from '../../contracts/sandbox/guard-api.ts';
import { packageManagerOf } from '../../contracts/sandbox/sandbox-programs.ts';
import type { BoundedLog } from './bounded-log.ts';
import { buildContainer } from './build-container.ts';
import { createdSchema } from './engine-answers.ts';
import { findNetwork } from './join-network.ts';
import { engineName } from './guard-context.ts';
import type { GuardReply } from './guard-server.ts';
import type { KeptContainer, KeptContainers } from './kept-containers.ts';
import { removeContainer } from './owned-objects.ts';
import { planContainer, type ContainerPlan } from './plan-container.ts';
import { makeSandboxVolumes, type SandboxVolumesOptions } from './sandbox-volumes.ts';
import { totalExceeded, type Totals } from './totals.ts';

export interface CreateContainerOptions extends SandboxVolumesOptions {
  readonly totals: Totals;
  /** Runs an action once after a time; returns a function that cancels it. */
  readonly after: (ms: number, action: () => void) => () => void;
  readonly log: BoundedLog;
}

/** Creates the container of a sandbox if the request is allowed. If none is created, everything that was opened for it is closed again. */
export async function createContainer(
  options: CreateContainerOptions,
  kept: KeptContainers,
  body: unknown,
): Promise<GuardReply> {
  const parsed = guardContainerCreateSchema.safeParse(body);
  if (!parsed.success) return { kind: 'refused', reason: 'not a container request' };
  const manager = packageManagerOf(parsed.data.program);
  const ownMounts = manager === null ? [] : await options.context.packageMounts(manager);
  const joined = findNetwork(parsed.data, kept, options.socketsRoot);
  if (joined.kind === 'refused') return joined;
  const outcome = planContainer(parsed.data, options.context, ownMounts, joined.network);
  if (outcome.kind === 'refused') return outcome;
  const { sandbox, program, session } = parsed.data;
  if (kept.has(sandbox)) return conflict('this sandbox has a container already');
  const { limits } = outcome.plan;
  const exceeded = totalExceeded(kept.limits(), limits, options.totals);
  if (exceeded !== null) return conflict(exceeded);
  const entry = kept.add(sandbox, { program, session, limits });
  const reply = await make(outcome.plan, entry, options).catch(async (error: unknown) => {
    await kept.drop(sandbox);
    throw error;
  });
  if (entry.id === null) await kept.drop(sandbox);
  return reply;
}

async function make(plan: ContainerPlan, entry: KeptContainer, options: CreateContainerOptions): Promise<GuardReply> {
  const { engine, context } = options;
  const made = await makeSandboxVolumes(plan, options, entry.releases);
  if (made.kind === 'not') return made.reply;
  entry.sockets = made.sockets;
  const name = engineName(context, plan.request.sandbox);
  const { status, body } = await engine.call('POST', `/containers/create?name=${name}`, {
    body: buildContainer(plan, context, made.volumes),
  });
  if (status !== 201) return { kind: 'engine-error', status, body };
  const id = createdSchema.parse(body).Id;
  entry.id = id;
  removeWhenTooOld(plan, entry, id, options);
  return { kind: 'json', status: 201, body: { Id: id, Warnings: [] } };
}

/** The kernel has deadlines of its own; this one also works if the kernel is compromised or hangs. */
function removeWhenTooOld(
  { request }: ContainerPlan,
  { releases }: KeptContainer,
  id: string,
  { engine, after, log }: CreateContainerOptions,
): void {
  const { maxAgeMs } = TEMPLATES[request.template];
  if (maxAgeMs === null) return;
  const cancel = after(maxAgeMs, () => {
    log.write({ event: 'too-old', sandbox: request.sandbox, program: request.program });
    void removeContainer(engine, id, true).catch(() => undefined);
  });
  releases.add(() => Promise.resolve(cancel()));
}

function conflict(message: string): GuardReply {
  return { kind: 'json', status: 409, body: { message } };
}
