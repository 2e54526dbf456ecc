import type { ProjectPath } from '../../contracts/ids.ts';
import type { ModelCall } from '../../contracts/model/model.ts';
import type { PolicyDecision } from '../../contracts/policy.ts';
import type { ToolError } from '../../contracts/model/tool-errors.ts';
import type { CompiledPolicy, ConstraintFacts } from '../policy/index.ts';
import type { BaselineRun } from '../proof/baseline-run.ts';
import type { SessionContext } from '../services.ts';
import type { ToolAnswer } from '../tools/tool-answer.ts';
import type { ToolUse } from '../tools/tool.ts';

/** `template` is null for a call that the kernel performs itself. */
export interface CallFacts extends ConstraintFacts {
  readonly template: 'code-executor' | 'integration-test' | null;
  readonly hasToken: boolean;
  readonly sizeBytes: number;
}

/** What policy said about all paths of a call. */
export interface CallDecision {
  readonly policy: CompiledPolicy;
  readonly facts: CallFacts;
  readonly byPath: DecisionsByPath;
  /** The decision that counts, and its path; null if the call has no path. */
  readonly strictest: Omit<PolicyDecision, 'constraints'>;
  readonly target: string | null;
  readonly syscall: string;
  /** For the audit record. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * A call of the model grows stage by stage; each stage takes the record of the one before and returns its own, or a refusal:
 *
 *   ModelCall -> parse -> ParsedCall -> resolve -> ResolvedCall -> gate -> authorise -> AuthorisedCall -> perform -> PerformedCall -> report -> CallReply
 */
export interface ParsedCall {
  readonly stage: 'parsed';
  /** The call as the history keeps it: with a name and arguments that every later request can contain. */
  readonly received: ModelCall;
  readonly use: ToolUse;
}

/** The real paths of a call: links are followed, and paths outside the project are refused. */
export interface Targets {
  /** The paths in the input of the call, in the same order. */
  readonly named: readonly ProjectPath[];
  /** The files that the call writes. Files below a directory are listed one by one. */
  readonly writes: readonly ProjectPath[];
}

export interface ResolvedCall extends Omit<ParsedCall, 'stage'> {
  readonly stage: 'resolved';
  readonly targets: Targets;
}

/** The key is undefined for a call without a path. */
export type DecisionsByPath = ReadonlyMap<string | undefined, PolicyDecision>;

export interface AuthorisedCall extends Omit<ResolvedCall, 'stage'> {
  readonly stage: 'authorised';
  /**
   * The policy that allowed the call. The call is performed under this policy, even if another one comes into force
   * meanwhile.
   */
  readonly policy: CompiledPolicy;
  readonly decisions: DecisionsByPath;
}

export interface PerformedCall extends Omit<AuthorisedCall, 'stage'> {
  readonly stage: 'performed';
  readonly answer: ToolAnswer;
}

/** Who refused a call. `absence`: a person has to decide, but no person attends the run. */
export type Refuser =
  'parser' | 'resolver' | 'network' | 'state' | 'exemption' | 'policy' | 'ignore-file' | 'person' | 'absence';

/** A call that ends before it has any effect. */
export interface RefusedCall {
  readonly stage: 'refused';
  readonly by: Refuser;
  readonly received: ModelCall;
  /** `use` is null if the call could not be parsed; `targets` is null if the paths could not be resolved. */
  readonly use: ToolUse | null;
  readonly targets: Targets | null;
  readonly error: ToolError;
}

/** What goes back to the model for one call. */
export interface CallReply {
  readonly call_id: string;
  readonly ok: boolean;
  readonly content: string;
}

/** What every stage has access to. */
export interface CallContext extends SessionContext {
  readonly baseline: BaselineRun;
  /** Who makes the calls; the model if absent. */
  readonly caller?: 'user';
}

export function refuse(call: ParsedCall | ResolvedCall, by: Refuser, error: ToolError): RefusedCall {
  const targets = call.stage === 'resolved' ? call.targets : null;
  return { stage: 'refused', by, received: call.received, use: call.use, targets, error };
}
