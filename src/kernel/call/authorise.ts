import type { CallFacts } from './call.ts';
import type { CallDecision } from './call.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import type { ToolError } from '../../contracts/model/tool-errors.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { askPolicy } from '../access/ask-policy.ts';
import { heldTo, requestMetadata, strictestDecision, unmetConstraints } from '../policy/index.ts';
import { askHuman } from '../review/ask-human.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import type { ToolPlace, ToolUse } from '../tools/tool.ts';
import { refuse } from './call.ts';
import type { AuthorisedCall, CallContext, RefusedCall, ResolvedCall } from './call.ts';
import { reportDecision } from './report.ts';

/**
 * Asks the policy about every path of a call. If the policy requires a person's approval, the person is asked. Nothing
 * has happened yet when this returns. Each decision is recorded before anything follows from it.
 */
export async function authoriseCall(context: CallContext, call: ResolvedCall): Promise<AuthorisedCall | RefusedCall> {
  const first = await decide(context, call);
  if (first.strictest.decision === 'deny') return denied(call, first);
  const ignored = await firstIgnored(context, call);
  if (ignored !== null) return refuse(call, 'ignore-file', ignored);
  if (first.strictest.decision === 'allow') return authorised(call, first);

  const refused = await review(context, call, first.strictest.reasons);
  if (refused !== null) return refused;
  // The wait may have been long. An approval under the old policy does not allow what the policy in force now denies.
  const isSame = context.services.policy().hash === first.policy.hash;
  const now = isSame ? first : await decide(context, call);
  return now.strictest.decision === 'deny' ? denied(call, now) : authorised(call, now);
}

function authorised(call: ResolvedCall, { policy, byPath }: CallDecision): AuthorisedCall {
  return { ...call, stage: 'authorised', policy, decisions: byPath };
}

function denied(call: ResolvedCall, { strictest }: CallDecision): RefusedCall {
  const message = `Policy denies ${call.use.tool.name}: ${strictest.reasons.join('; ')}`;
  return refuse(call, 'policy', { code: 'policy_denied', message, retryable: false });
}

async function decide(context: CallContext, call: ResolvedCall): Promise<CallDecision> {
  const { session } = context;
  const services = underOnePolicy(context.services);
  const facts = factsOf(call.use);
  const subjects = subjectsOf(call);
  const requests = subjects.map((subject) => requestFor(session, call.use, facts, subject));
  const decisions = await Promise.all(
    requests.map(async (request) => heldTo(await askPolicy(services, request), facts)),
  );
  const [first, ...rest] = decisions;
  const [request, ...others] = requests;
  if (first === undefined || request === undefined) throw new Error('a call without any decision');
  const strictest = strictestDecision([first, ...rest]);
  const decisive = subjects[decisions.findIndex((each) => each.decision === strictest.decision)];
  const decision: CallDecision = {
    policy: services.policy(),
    facts,
    byPath: new Map(subjects.map(({ path }, index) => [path, decisions[index] ?? first])),
    strictest,
    syscall: decisive?.syscall ?? call.use.tool.name,
    target: decisive?.path ?? null,
    metadata: requestMetadata([request, ...others], facts),
  };
  reportDecision(context, call, decision);
  return decision;
}

/** One question to the policy. */
interface CallSubject {
  readonly syscall: string;
  readonly path?: string;
  readonly command?: readonly string[];
}

/** All questions to the policy about a call: each path with each thing that is done to it, and each command. */
function subjectsOf({ use, targets: { named, writes } }: ResolvedCall): readonly CallSubject[] {
  const { name } = use.tool;
  const asked = named.flatMap((path, index) => (use.syscalls[index] ?? [name]).map((syscall) => ({ syscall, path })));
  const others = writes.filter((path) => !named.includes(path)).map((path) => ({ syscall: name, path }));
  const paths = [...new Map([...asked, ...others].map((one) => [`${one.syscall} ${one.path}`, one])).values()];
  if (paths.length > 0) return paths;
  return use.commands.length === 0 ? [{ syscall: name }] : use.commands.map((command) => ({ syscall: name, command }));
}

/** All paths of a call are decided by one policy, even if another comes into force while extensions are asked. */
function underOnePolicy(services: Services): Services {
  const policy = services.policy();
  return { ...services, policy: () => policy };
}

/**
 * How a call is performed. The size of what it writes is known beforehand for few tools; `sizeCheckOf` checks it for
 * all of them after the call.
 */
function factsOf({ tool: { place, effect }, sizeBytes, network }: ToolUse): CallFacts {
  return {
    template: network === null ? templateOf(place) : 'integration-test',
    hasToken: (place === 'patch' || place === 'overlay') && effect !== 'workflow',
    sizeBytes: sizeBytes ?? 0,
  };
}

function templateOf(place: ToolPlace): CallFacts['template'] {
  switch (place) {
    case 'kernel':
      return null;
    case 'packages':
      return 'integration-test';
    case 'patch':
    case 'overlay':
    case 'test':
      return 'code-executor';
  }
}

function requestFor(
  { state, mode }: Session,
  { tool, sizeBytes, effects }: ToolUse,
  { template }: CallFacts,
  { syscall, path, command }: CallSubject,
): PolicyRequest {
  return {
    syscall,
    path,
    state,
    mode,
    tags: tool.plugin.tags,
    plugin: tool.plugin.name,
    ...(template === null ? {} : { template }),
    ...(sizeBytes === null ? {} : { sizeBytes }),
    ...(command === undefined ? {} : { command }),
    ...(effects === null ? {} : { effects }),
  };
}

/** Why a file must not have this size; null if it may. */
export type SizeCheck = (path: string, sizeBytes: number) => string | null;

/** Checks the files that a call has written against the constraints of the policy decisions. */
export function sizeCheckOf({ use, decisions }: Pick<AuthorisedCall, 'use' | 'decisions'>): SizeCheck {
  return (path, sizeBytes) => {
    const decision = decisions.get(path);
    if (decision === undefined) return `policy was not asked about ${path}`;
    const unmet = unmetConstraints(decision.constraints, { ...factsOf(use), sizeBytes });
    return unmet.length === 0 ? null : `${path}: ${unmet.join('; ')}`;
  };
}

/**
 * A file that git ignores is in no commit. A change of it would reach the project without being in a diff that people
 * read.
 */
async function firstIgnored({ workspace }: CallContext, { use, targets }: ResolvedCall): Promise<ToolError | null> {
  for (const path of targets.writes) {
    if (!(await workspace.isIgnored(path))) continue;
    const message = `${path} is ignored by git, so ${use.tool.name} on it cannot be part of a commit. Change the file that it is generated from, or name paths that git tracks.`;
    return { code: 'path_refused', message, retryable: false };
  }
  return null;
}

async function review(
  context: CallContext,
  call: ResolvedCall,
  reasons: readonly string[],
): Promise<RefusedCall | null> {
  const { tool, input, warnings } = call.use;
  const outcome = await askHuman(context, {
    tool: tool.name,
    input,
    reasons: [...reasons, ...warnings, ...call.targets.named],
  });
  switch (outcome.kind) {
    case 'approved':
      return null;
    case 'absent': {
      const message = `A human must allow ${tool.name}, and this run has no terminal to ask on: ${reasons.join('; ')}`;
      return refuse(call, 'absence', { code: 'review_required', message, retryable: false });
    }
    case 'rejected': {
      const message = `The user refused: ${outcome.reason}`;
      return refuse(call, 'person', { code: 'policy_denied', message, retryable: false });
    }
    default:
      return assertNever(outcome);
  }
}
