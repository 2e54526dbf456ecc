import { assertNever } from '../../lib/assert-never.ts';
import type { ModelCall } from '../../contracts/model.ts';
import { CORE_TAGS } from '../../contracts/policy.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import type { ToolError } from '../../contracts/tool-errors.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { classifyPath, heldTo } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import { unavailable } from '../tools/availability.ts';
import { parseCall } from './parse-call.ts';
import { redactSecrets, sanitise } from '../record/sanitise.ts';
import { isRead, record, recordRead, tellOfCall } from '../record/audit-trail.ts';
import { askPolicy, withAllowedPaths } from '../access/ask-policy.ts';
import { askHuman } from '../review/ask-human.ts';
import { authoriseCall } from './authorise-call.ts';
import type { BaselineRun } from '../proof/baseline-run.ts';
import { sizeCheckOf } from './call-facts.ts';
import type { DecisionsByPath, SizeCheck } from './call-facts.ts';
import { executeChange, executeGitRead, executeShell } from './execute-overlay.ts';
import type { ReadablePaths } from './execute-overlay.ts';
import { executePatch } from './execute-patch.ts';
import { executeTests } from './execute-tests.ts';
import { completePlan, requestExemption, reviseTests } from './execute-workflow.ts';
import { networkRefused } from './network-refused.ts';
import { noteRefusal } from './note-refusal.ts';
import { resolveTargets } from './resolve-targets.ts';
import type { Targets } from './resolve-targets.ts';
import type { ToolAnswer, Services } from '../services.ts';

export interface CallContext {
  readonly services: Services;
  readonly session: Session;
  readonly workspace: Workspace;
  readonly baseline: BaselineRun;
  readonly signal: AbortSignal;
}

/** What goes back to the model for one call. */
export interface CallReply {
  readonly call_id: string;
  readonly ok: boolean;
  readonly content: string;
}

const READ_RETRY_MS = 100;

/** One call from the model, all the way: parsed, resolved, checked against state and policy, carried out, cleaned, recorded, told. Never throws for what a model can cause. */
export async function runCall(context: CallContext, call: ModelCall): Promise<CallReply> {
  const { services, session } = context;
  const startedMs = services.clock.monotonicMs();
  const parsed = parseCall(call);
  tellOfCall(session, call.tool, {
    type: 'tool.started',
    call_id: call.call_id,
    tool: call.tool,
    input: shownInput(services, parsed.kind === 'ok' ? parsed.call.input : call.arguments),
  });
  const answer =
    parsed.kind === 'error'
      ? ({ ok: false, error: parsed.error } as const)
      : await decideAndRun(context, call.call_id, parsed.call);
  return report(context, call, answer, services.clock.monotonicMs() - startedMs);
}

async function decideAndRun(live: CallContext, callId: string, call: ParsedCall): Promise<ToolAnswer> {
  const context = underOnePolicy(live);
  const { services, session, workspace } = context;
  const resolved = await resolveTargets(call, workspace, services.options.project_root);
  if (resolved.kind === 'refused') return refusedByPolicy(session, resolved.error);
  const { targets } = resolved;

  const written = targets.writes.map((path) => ({ path, kind: classifyPath(services.policy(), path).kind }));
  const offline = networkRefused(services.policy(), call);
  const closed = offline ?? unavailable(call, written, session.state) ?? outsideExemption(session, targets.writes);
  if (closed !== null) {
    if (written.length > 0) session.update({ refused: { ...session.snapshot.refused, gate: true } });
    record(services, session, 'syscall', {
      tool_name: call.tool,
      policy_decision: 'denied',
      deny_reason: closed.message,
      input_summary: targets.named.join(' '),
      metadata: { call_id: callId },
    });
    return offline === null ? { ok: false, error: closed } : refusedByPolicy(session, offline);
  }

  const authorisation = await authoriseCall(services, session, callId, call, targets);
  if (authorisation.kind !== 'denied') {
    const ignored = await firstIgnored(workspace, targets.writes);
    if (ignored !== null) return refuseIgnored(context, callId, call, ignored);
  }
  switch (authorisation.kind) {
    case 'denied':
      return refusedByPolicy(session, authorisation.error);
    case 'review': {
      const refused = await askHuman(services, session, call, targets.named, authorisation.reasons, context.signal);
      if (refused !== null) return { ok: false, error: refused };
      // The wait may have been long: what the policy has come to deny meanwhile, no yes to the old one allows.
      const now = underOnePolicy(live);
      const isSame = now.services.policy().hash === services.policy().hash;
      const again = isSame ? authorisation : await authoriseCall(now.services, session, callId, call, targets);
      if (again.kind === 'denied') return refusedByPolicy(session, again.error);
      return carryOut(now, callId, call, targets, again.decisions);
    }
    case 'allowed':
      return carryOut(context, callId, call, targets, authorisation.decisions);
    default:
      return assertNever(authorisation);
  }
}

/** What policy closes only when the outcome is known is a refusal by policy like any other. */
async function carryOut(
  context: CallContext,
  callId: string,
  call: ParsedCall,
  targets: Targets,
  decisions: DecisionsByPath,
): Promise<ToolAnswer> {
  const answer = await execute(context, callId, call, targets, sizeCheckOf(call, decisions));
  if (!answer.ok && answer.error.code === 'policy_denied') refusedByPolicy(context.session, answer.error);
  return answer;
}

/** A call is decided and carried out under the policy that is in force when it begins, whatever comes into force meanwhile. */
function underOnePolicy(context: CallContext): CallContext {
  const policy = context.services.policy();
  return { ...context, services: { ...context.services, policy: () => policy } };
}

async function firstIgnored(workspace: Workspace, writes: Targets['writes']): Promise<string | null> {
  for (const path of writes) if (await workspace.isIgnored(path)) return path;
  return null;
}

/** What git ignores is no part of any commit: a change there would reach the project without ever being in a diff that people read. */
function refuseIgnored({ services, session }: CallContext, callId: string, call: ParsedCall, path: string): ToolAnswer {
  const message = `${path} is ignored by git, so ${call.tool} on it cannot become part of a commit. Change what it is made from, or name paths that git tracks.`;
  record(services, session, 'syscall', {
    tool_name: call.tool,
    policy_decision: 'denied',
    deny_reason: message,
    input_summary: path,
    metadata: { call_id: callId },
  });
  return refusedByPolicy(session, { code: 'path_refused', message, retryable: false });
}

async function execute(
  context: CallContext,
  callId: string,
  call: ParsedCall,
  targets: Targets,
  sizes: SizeCheck,
): Promise<ToolAnswer> {
  const { services, session, workspace, baseline, signal } = context;
  const [first, second] = targets.named;
  const reading: ReadablePaths = (work) => withReadable(context, work);
  if (!isRead(call.tool)) {
    record(services, session, 'tool_execute', {
      tool_name: call.tool,
      syscall_type: call.tool,
      input_summary: targets.named.join(' '),
      metadata: { call_id: callId },
    });
  }
  switch (call.tool) {
    case 'fs.read':
    case 'fs.list':
    case 'fs.exists':
    case 'search.grep':
    case 'search.glob':
      return readTwice(context, withResolvedPath(call, first));
    case 'fs.write':
    case 'fs.edit':
      return first === undefined
        ? noPath()
        : executePatch(services, session, workspace, call, first, callId, sizes, signal);
    case 'fs.delete':
      return first === undefined
        ? noPath()
        : executeChange(
            services,
            session,
            workspace,
            {
              callId,
              method: call.tool,
              params: { path: first },
              expected: targets.writes,
              sizes,
              done: `Deleted ${first}`,
            },
            signal,
          );
    case 'fs.move':
      return first === undefined || second === undefined
        ? noPath()
        : executeChange(
            services,
            session,
            workspace,
            {
              callId,
              method: call.tool,
              params: { from: first, to: second },
              expected: targets.writes,
              sizes,
              done: `Moved ${first} to ${second}`,
            },
            signal,
          );
    case 'test.run':
      return executeTests(services, session, workspace, baseline, callId, targets.named, signal);
    case 'shell.run':
      return executeShell(
        services,
        session,
        workspace,
        callId,
        call.input,
        (path, sizeBytes) => mayWrite(services, session, path, sizeBytes),
        signal,
      );
    case 'git.status':
      return executeGitRead(services, session, workspace, callId, call.tool, {}, reading, signal);
    case 'git.diff':
      return executeGitRead(
        services,
        session,
        workspace,
        callId,
        call.tool,
        first === undefined ? {} : { path: first },
        reading,
        signal,
      );
    case 'git.log':
      return executeGitRead(
        services,
        session,
        workspace,
        callId,
        call.tool,
        { limit: call.input.limit ?? 20, ...(first === undefined ? {} : { path: first }) },
        reading,
        signal,
      );
    case 'git.commit':
      session.update({ commit_message: call.input.message });
      return { ok: true, text: 'The commit goes to review.', summary: call.input.message.split('\n')[0] ?? '' };
    case 'plan.complete':
      return completePlan(services, session, baseline, call.input, signal);
    case 'workflow.request_exemption':
      return requestExemption(services, session, workspace, call.input, targets.named, signal);
    case 'workflow.revise_tests':
      return reviseTests(services, session, workspace, call.input);
    case 'task.give_up':
      session.update({ gave_up: call.input.reason });
      return { ok: true, text: 'Noted.', summary: call.input.reason };
    default:
      return assertNever(call);
  }
}

/** Reads have no effect, so one that fails for want of infrastructure is tried once more before the model hears of it. */
async function readTwice(context: CallContext, call: ParsedCall): Promise<ToolAnswer> {
  const { services, workspace, signal } = context;
  const once = () => withReadable(context, (readable) => services.native.run(call, workspace, readable, signal));
  try {
    return await once();
  } catch {
    await services.clock.sleep(READ_RETRY_MS, signal);
    recordRead(services, context.session, 'tool_execute', { tool_name: call.tool, input_summary: 'retried' });
    return once();
  }
}

function withReadable<T>(
  { services, session }: CallContext,
  work: Parameters<typeof withAllowedPaths<T>>[2],
): Promise<T> {
  return withAllowedPaths(services, (path) => pathRequest(session, 'fs.read', path), work);
}

/** Whether a command may leave a file of that size there. */
async function mayWrite(services: Services, session: Session, path: string, sizeBytes: number): Promise<boolean> {
  const kind = classifyPath(services.policy(), path).kind;
  const open =
    unavailable({ tool: 'fs.write', input: { path, content: '' } }, [{ path, kind }], session.state) === null;
  if (!open || outsideExemption(session, [path]) !== null) return false;
  const facts = { template: 'code-executor', hasToken: true, sizeBytes } as const;
  const request = { ...pathRequest(session, 'fs.write', path), template: facts.template, sizeBytes };
  return heldTo(await askPolicy(services, request), facts).decision === 'allow';
}

function pathRequest({ state, mode }: Session, syscall: string, path: string): PolicyRequest {
  return { syscall, path, state, mode, tags: CORE_TAGS };
}

function outsideExemption(session: Session, writes: readonly string[]): ToolError | null {
  const { exemption } = session.snapshot;
  if (exemption === null) return null;
  const outside = writes.find((path) => !exemption.paths.includes(path));
  if (outside === undefined) return null;
  const message = `${outside} is not part of the exemption (${exemption.paths.join(', ')}). Finish that change first.`;
  return { code: 'tool_unavailable', message, retryable: false };
}

function report(context: CallContext, call: ModelCall, answer: ToolAnswer, durationMs: number): CallReply {
  const { services, session } = context;
  const { patterns, maxResultTokens } = services.policy().sanitizer;
  const raw = answer.ok ? answer.text : (answer.text ?? `${answer.error.code}: ${answer.error.message}`);
  const clean = sanitise(raw, patterns, maxResultTokens);
  const summary = redactSecrets(answer.ok ? answer.summary : answer.error.message, patterns).text.slice(0, 500);
  if (!answer.ok) noteRefusal(session, call, answer.error.code, summary);
  const details = {
    tool_name: call.tool,
    output_summary: summary,
    duration_ms: Math.round(durationMs),
    ...(answer.sandboxId === undefined ? {} : { sandbox_id: answer.sandboxId }),
    metadata: {
      call_id: call.call_id,
      ok: String(answer.ok),
      output_digest: services.digestOf(raw),
      ...(answer.ok ? {} : { error: answer.error.code }),
    },
  };
  if (isRead(call.tool)) recordRead(services, session, 'tool_result', details);
  else record(services, session, 'tool_result', details);
  tellOfCall(session, call.tool, {
    type: 'tool.finished',
    call_id: call.call_id,
    tool: call.tool,
    ok: answer.ok,
    summary,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(answer.sandboxId === undefined ? {} : { sandbox_id: answer.sandboxId }),
    ...(answer.ok && answer.diff !== undefined ? { diff: redactSecrets(answer.diff, patterns).text } : {}),
    ...(answer.ok ? {} : { error: { ...answer.error, message: summary } }),
  });
  return { call_id: call.call_id, ok: answer.ok, content: clean.text };
}

function shownInput(services: Services, input: unknown): unknown {
  const { text } = redactSecrets(JSON.stringify(input) ?? 'null', services.policy().sanitizer.patterns);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The path that was checked is the one that is opened. */
function withResolvedPath(call: ParsedCall, path: string | undefined): ParsedCall {
  return path === undefined ? call : ({ ...call, input: { ...call.input, path } } as ParsedCall);
}

function refusedByPolicy(session: Session, error: ToolError): ToolAnswer {
  session.update({ refused: { ...session.snapshot.refused, policy: true } });
  return { ok: false, error };
}

function noPath(): ToolAnswer {
  return { ok: false, error: { code: 'invalid_input', message: 'No path was given.', retryable: true } };
}
