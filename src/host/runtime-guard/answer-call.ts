import { attestRequestSchema } from '../../contracts/review/evidence.ts';
import { spentSchema } from '../../contracts/model/spending.ts';
import { anchorRecordsSchema, anchorRequestSchema } from '../../contracts/sandbox/guard-api.ts';
import type {
  AddSpending,
  Anchor,
  Attest,
  CheckPlace,
  FollowedLog,
  IsSignedPolicy,
} from '../../contracts/ports/host-services.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { ContainerCalls } from './container-calls.ts';
import type { EngineClient } from './engine-client.ts';
import type { ParsedCall } from './guard-call.ts';
import type { GuardContext } from './guard-context.ts';
import type { GuardReply } from './guard-server.ts';
import { listContainers, listVolumes } from './owned-objects.ts';
import type { VolumeCalls } from './volume-calls.ts';

export interface CallServices {
  readonly engine: EngineClient;
  readonly context: GuardContext;
  readonly volumes: VolumeCalls;
  readonly containers: ContainerCalls;
  readonly followedLog: FollowedLog;
  readonly anchor: Anchor;
  readonly attest: Attest;
  readonly addSpending: AddSpending;
  readonly isSignedPolicy: IsSignedPolicy;
  readonly checkPlace: CheckPlace;
}

/** Passes a call to the code that decides it. */
export async function answerCall(
  services: CallServices,
  { call, query }: ParsedCall,
  body: unknown,
  signal: AbortSignal,
): Promise<GuardReply> {
  const { engine, context, volumes, containers } = services;
  switch (call.kind) {
    case 'ping':
      return { kind: 'text', text: 'OK' };
    case 'image-list':
      return json(Object.entries(context.images).map(([name, id]) => ({ name, id })));
    case 'volume-create':
      return (await ifReplaced(services)) ?? (await volumes.create(body));
    case 'volume-list':
      return json({ Volumes: await listVolumes(engine, context) });
    case 'volume-remove':
      return await volumes.remove(call.name, query);
    case 'container-create':
      return (await ifReplaced(services)) ?? (await containers.create(body));
    case 'container-list':
      return json(await listContainers(engine, context));
    case 'container-inspect':
      return await containers.inspect(call.id);
    case 'container-logs':
      return await containers.logs(call.id, query, signal);
    case 'container-remove':
      return await containers.remove(call.id, query);
    case 'container-do':
      return await containers.act(call.id, call.action, query, signal);
    case 'anchor-position':
      return json(await services.followedLog.position());
    case 'anchor-records': {
      const records = anchorRecordsSchema.safeParse(body);
      if (!records.success) return { kind: 'refused', reason: 'not records of an audit log' };
      return json(await services.followedLog.follow(records.data));
    }
    case 'anchor': {
      const request = anchorRequestSchema.safeParse(body);
      if (!request.success) return { kind: 'refused', reason: 'not an anchor request' };
      return json(await services.anchor(request.data));
    }
    case 'attest': {
      const request = attestRequestSchema.safeParse(body);
      if (!request.success) return { kind: 'refused', reason: 'not an attest request' };
      return json(await services.attest(request.data));
    }
    case 'spending': {
      const used = spentSchema.safeParse(body);
      if (!used.success) return { kind: 'refused', reason: 'not what requests have used' };
      return json(await services.addSpending(used.data));
    }
    case 'project-place':
      return json(await services.checkPlace());
    case 'egress':
      return json({ attempts: containers.egress(call.sandbox) });
    case 'signed-policy':
      return json({ signed: await services.isSignedPolicy(call.sha256) });
    default:
      return assertNever(call);
  }
}

/** The engine would mount what is at the path now, while the kernel works on the earlier directory. */
async function ifReplaced({ checkPlace }: CallServices): Promise<GuardReply | null> {
  const found = await checkPlace();
  return found.kind === 'same' ? null : { kind: 'refused', reason: `the ${found.what} was replaced: ${found.why}` };
}

function json(body: unknown): GuardReply {
  return { kind: 'json', status: 200, body };
}
