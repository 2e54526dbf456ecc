import { plannedKind } from '../../contracts/review/change-kinds.ts';
import type { PlannedKind } from '../../contracts/review/change-kinds.ts';
import type { ToolError } from '../../contracts/model/tool-errors.ts';
import type { SessionState } from '../../contracts/session/workflow-states.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { classifyPath, coversHost, parseHostPattern } from '../policy/index.ts';
import { canHoldTests } from '../proof/in-source/staged-work.ts';
import type { CompiledPolicy, HostPattern, PathClass } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import type { TestNetwork } from '../../contracts/sandbox/test-network.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Tool, ToolUse } from '../tools/tool.ts';
import { refuse } from './call.ts';
import type { CallContext, RefusedCall, ResolvedCall } from './call.ts';

/** The role of a file in the workflow. */
export type FileKind = PathClass['kind'];

export interface WrittenFile {
  readonly path: string;
  readonly kind: FileKind;
  /**
   * A source file that can contain tests and that the call rewrites as text. The change itself is judged where it is
   * written.
   */
  readonly holdsTests?: boolean;
}

/** Refuses a call that the workflow does not open now. Policy decides after this, and can still deny the call. */
export function gateCall({ services, session }: CallContext, call: ResolvedCall): ResolvedCall | RefusedCall {
  const policy = services.policy();
  const { use, targets } = call;
  const offline = whyOffline(policy, services.options.test_network, use);
  if (offline !== null) return refuse(call, 'network', offline);
  const closed = whyClosed(
    services.tools(),
    { name: use.tool.name, ...use.openness },
    filesOf(policy, use.tool, targets.writes),
    session.state,
    plannedKind(session.snapshot.kind),
  );
  if (closed !== null) return refuse(call, 'state', closed);
  const outside = whyOutsideExemption(session, targets.writes);
  return outside === null ? call : refuse(call, 'exemption', outside);
}

function filesOf(policy: CompiledPolicy, { place }: Tool, paths: readonly string[]): WrittenFile[] {
  return paths.map((path) => {
    const holdsTests = place === 'patch' && canHoldTests(policy, path);
    return { path, kind: classifyPath(policy, path).kind, holdsTests };
  });
}

/**
 * Why a call does not get the network that it requests; null if it requests none. Such a call is refused and not run
 * offline: a test that needs a host would fail for a reason that no one sees.
 */
export function whyOffline(
  policy: Pick<CompiledPolicy, 'networkWhitelist'>,
  configured: TestNetwork | undefined,
  { tool, network: group }: Pick<ToolUse, 'network'> & { readonly tool: Pick<Tool, 'name'> },
): ToolError | null {
  if (group === null) return null;
  const why = whyNoHosts(policy.networkWhitelist.get(group), Object.values(configured?.groups ?? {}).flat(), group);
  if (why === null) return null;
  const message = `${tool.name} with network is denied: ${why}. Run it without network, with tests that need none.`;
  return { code: 'policy_denied', message, retryable: false };
}

/**
 * Why a group has no hosts. The user's configuration lists the hosts; a policy with a list of its own may close some of
 * them.
 */
function whyNoHosts(
  listed: readonly HostPattern[] | undefined,
  hosts: readonly string[],
  group: string,
): string | null {
  if (hosts.length === 0)
    return 'the configuration of the user opens no host to the tests of this project (test.networks)';
  const closed = listed === undefined ? [] : hosts.filter((host) => !isListed(listed, host));
  return closed.length === 0 ? null : `policy closes ${closed.join(', ')} to them (network_whitelist, group ${group})`;
}

function isListed(listed: readonly HostPattern[], host: string): boolean {
  const parsed = parseHostPattern(host);
  return parsed.kind === 'ok' && listed.some((each) => coversHost(each, parsed.host));
}

/** Why the state closes this call, and what opens it; null if it is open. Pure. */
export function whyClosed(
  tools: ToolRegistry,
  tool: Pick<Tool, 'name' | 'states' | 'opens'>,
  written: readonly WrittenFile[],
  state: SessionState,
  planned: PlannedKind = 'feature',
): ToolError | null {
  const refusal = (what: string, why: string): ToolError => {
    return { code: 'tool_unavailable', message: `${what} is not open in state ${state}. ${why}`, retryable: false };
  };
  if (!tool.states.includes(state)) {
    return refusal(tool.name, `${whatOpens(tool, state)} Open now: ${tools.availableIn(state).join(', ')}.`);
  }
  for (const file of written) {
    const why = whyNotWritable(file, state, planned);
    if (why !== null) return refusal(`${tool.name} on ${file.path}`, why);
  }
  return null;
}

function whatOpens({ states, opens }: Pick<Tool, 'states' | 'opens'>, state: SessionState): string {
  // A model that goes on working after the change is complete.
  if (state === 'reviewing' && states.includes('code_writing')) {
    return 'The whole suite passes and the change is complete: call git.commit. Everything else is a new task.';
  }
  return opens;
}

/** Whether the workflow lets the session write this file now. */
export function isWritable(policy: CompiledPolicy, session: Session, path: string): boolean {
  return (
    whyNotWritable(
      { path, kind: classifyPath(policy, path).kind },
      session.state,
      plannedKind(session.snapshot.kind),
    ) === null && whyOutsideExemption(session, [path]) === null
  );
}

/** Why the workflow would close a file to a person in this state, as a text for people; null if it would not. */
export function whyClosedToPerson(
  policy: CompiledPolicy,
  session: Session,
  path: string,
  state: SessionState,
): string | null {
  const { kind } = classifyPath(policy, path);
  const planned = plannedKind(session.snapshot.kind);
  if (whyOutsideExemption(session, [path]) !== null) return `${path} is not part of the exemption under review`;
  if (whyNotWritable({ path, kind, holdsTests: canHoldTests(policy, path) }, state, planned) === null) return null;
  if (kind === 'test') return `${path} is a test, and tests are frozen since the source was opened`;
  return `${path} is ${describeKind(kind)}, which is closed in state ${state}`;
}

/** In test_writing: what opens the source, for each kind of change. */
const OPENS_SOURCE: Readonly<Record<PlannedKind, string>> = {
  feature: 'it can be written once test.run has seen a new test fail. Write and run the tests first.',
  fix: 'it can be written once test.run has seen a new test fail. Write and run the tests first.',
  refactor: 'it can be written once test.run has seen the suite pass. Call test.run.',
  deletion: 'it can be written once test.run has seen the suite pass. Call test.run.',
  tests: 'the plan is for tests only. To change source too, call plan.complete again with another kind.',
};

const OPENS_DOCS = ' To change only documentation, call workflow.request_exemption.';

/** Why a state closes a file, or null. Documentation is treated like source, but no test has to fail first. */
function whyNotWritable(
  { path, kind, holdsTests = false }: WrittenFile,
  state: SessionState,
  planned: PlannedKind,
): string | null {
  switch (state) {
    case 'test_writing':
      return kind === 'test' || kind === 'other' || holdsTests
        ? null
        : `${path} is ${describeKind(kind)}; ${OPENS_SOURCE[planned]}${kind === 'docs' ? OPENS_DOCS : ''}`;
    case 'code_writing':
      return kind === 'test'
        ? `${path} is a test, frozen since the source was opened. If it has to change, call workflow.revise_tests.`
        : null;
    case 'retroactive_testing':
      return kind === 'test' || kind === 'other' || holdsTests
        ? null
        : `${path} is ${describeKind(kind)}; in this state only tests are written.`;
    case 'exploring':
      return null;
    case 'idle':
    case 'planning':
    case 'validating':
    case 'reviewing':
    case 'committing':
      return 'Nothing can be written in this state.';
    default:
      return assertNever(state);
  }
}

function whyOutsideExemption(session: Session, writes: readonly string[]): ToolError | null {
  const { exemption } = session.snapshot;
  if (exemption === null) return null;
  const outside = writes.find((path) => !exemption.paths.includes(path));
  if (outside === undefined) return null;
  const message = `${outside} is not part of the exemption (${exemption.paths.join(', ')}). Finish that change first.`;
  return { code: 'tool_unavailable', message, retryable: false };
}

function describeKind(kind: FileKind): string {
  switch (kind) {
    case 'test':
      return 'a test';
    case 'docs':
      return 'documentation';
    case 'source':
      return 'source code';
    case 'other':
      return 'neither test nor source';
    default:
      return assertNever(kind);
  }
}
