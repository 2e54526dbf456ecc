import type {
  AllowConstraints,
  ExtensionResult,
  PolicyDecision,
  PolicyRequest,
  RuleOutcome,
} from '../../contracts/policy.ts';
import { foldPath } from './builtin/fold-path.ts';
import { checkCapability } from './capabilities/check-capability.ts';
import type { CapabilityClaim } from './capabilities/check-capability.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { holdConstraints } from './constraints.ts';
import { toMatchable } from './globs/matchable-path.ts';
import { toSubject } from './rules/match-condition.ts';
import type { Subject } from './rules/match-condition.ts';
import type { RuleIndex } from './rules/rule-index.ts';

export interface DecisionContext {
  /** Read once by the caller, for the whole evaluation: no second look at the clock can fall on the other side of an expiry. */
  readonly nowMonotonicMs: number;
  readonly token?: CapabilityClaim | undefined;
  /** One for each extension of the policy. One that is missing counts as failed. */
  readonly extensionResults?: readonly ExtensionResult[] | undefined;
}

/**
 * Decides one request. Pure. Built-in rules come first and bind everybody; a capability that holds then stands for the rest; otherwise
 * YAML rules and extensions are heard too. One deny denies, else one require_review asks, else one allow allows, else it is denied.
 * Within a layer every rule is heard, so neither decision nor explanation depends on the order of rules. A layer that denies ends it:
 * later layers are not asked (`extensionResults` are then not looked at, so they need not be there: see `needsExtensions`).
 */
export function decide(policy: CompiledPolicy, request: PolicyRequest, context: DecisionContext): PolicyDecision {
  const subject = toSubject(request);
  if (subject.path !== null && !subject.path.normal) return refuseUnnormalised();
  const tally = new Tally(request);
  if (request.host !== undefined && subject.host === null) {
    tally.warnings.push('the host is not written in its one plain form; no rule matches it');
  }

  tally.hear(policy.builtin, folded(subject));
  if (tally.denied) return tally.conclude();

  if (context.token !== undefined) {
    const check = checkCapability(context.token, subject, context.nowMonotonicMs);
    if (check.kind === 'valid') return tally.concludeByToken();
    tally.warnings.push(`the capability does not hold (${check.refusal}); decided by the rules`);
  }

  tally.hear(policy.yaml, subject);
  if (tally.denied) return tally.conclude();

  for (const { name } of policy.extensions) {
    tally.hearExtension(
      name,
      context.extensionResults?.find((result) => result.name === name),
    );
  }
  return tally.conclude();
}

/** Whether the outcome can depend on extensions, so that they have to be run before `decide` is asked for good. */
export function needsExtensions(policy: CompiledPolicy, request: PolicyRequest, context: DecisionContext): boolean {
  if (policy.extensions.length === 0) return false;
  const abstaining = policy.extensions.map(({ name }): ExtensionResult => ({ kind: 'answered', name, action: 'pass' }));
  const decision = decide(policy, request, { ...context, extensionResults: abstaining });
  return !decision.byToken && !decision.rules.some((rule) => rule.action === 'deny');
}

/** The subject as built-in rules see it. */
function folded(subject: Subject): Subject {
  const { path } = subject.request;
  if (path === undefined || subject.path?.plain === true) return subject;
  return { ...subject, path: toMatchable(foldPath(path)) };
}

const UNNORMALISED = 'The path is not a normalised one inside the project';

function refuseUnnormalised(): PolicyDecision {
  return {
    decision: 'deny',
    byToken: false,
    rules: [{ name: 'normal-path', layer: 'builtin', action: 'deny', reason: UNNORMALISED }],
    reasons: [UNNORMALISED],
    warnings: [],
    constraints: [],
  };
}

/** What the rules have said so far. */
class Tally {
  denied = false;
  readonly warnings: string[] = [];
  readonly #request: PolicyRequest;
  readonly #rules: RuleOutcome[] = [];
  /** One for each rule that allows; null if it ties the allow to nothing. */
  readonly #allows: (AllowConstraints | null)[] = [];
  #review = false;
  #tokenHolds = false;

  constructor(request: PolicyRequest) {
    this.#request = request;
  }

  hear(index: RuleIndex, subject: Subject): void {
    index.visit(subject, (outcome, rule) => {
      const constraints = rule?.action === 'allow' ? rule.constraints : null;
      if (constraints === null) {
        this.#count(outcome, null);
        return;
      }
      const held = holdConstraints(constraints, this.#request);
      const { name, layer } = outcome;
      if (held.kind === 'broken') this.#count({ name, layer, action: 'pass', reason: held.reason }, null);
      else this.#count(outcome, held.open);
    });
  }

  hearExtension(name: string, result: ExtensionResult | undefined): void {
    this.#count(extensionOutcome(name, result), null);
  }

  #count(outcome: RuleOutcome, open: AllowConstraints | null): void {
    this.#rules.push(outcome);
    if (outcome.action === 'deny') this.denied = true;
    else if (outcome.action === 'require_review') this.#review = true;
    else if (outcome.action === 'allow') this.#allows.push(open);
  }

  concludeByToken(): PolicyDecision {
    this.#tokenHolds = true;
    return this.conclude();
  }

  conclude(): PolicyDecision {
    const byToken = this.#tokenHolds && !this.denied && !this.#review;
    const done = (decision: PolicyDecision['decision'], reasons: string[], constraints: AllowConstraints[] = []) => ({
      decision,
      byToken,
      rules: this.#rules,
      reasons,
      warnings: this.warnings,
      constraints,
    });
    if (this.denied) return done('deny', this.#reasonsOf('deny'));
    if (this.#review) return done('require_review', this.#reasonsOf('require_review'));
    if (byToken) return done('allow', ['the capability holds']);
    if (this.#allows.length === 0) return done('deny', this.#reasonsForNothing());
    const unconditional = this.#allows.includes(null);
    return done('allow', this.#reasonsOf('allow'), unconditional ? [] : this.#allows.filter((open) => open !== null));
  }

  #reasonsOf(action: RuleOutcome['action']): string[] {
    const reasons: string[] = [];
    for (const rule of this.#rules) {
      if (rule.action !== action) continue;
      if (rule.reason !== undefined) reasons.push(rule.reason);
      else if (action !== 'allow') reasons.push(`rule "${rule.name}" says so`);
    }
    return reasons;
  }

  #reasonsForNothing(): string[] {
    const { syscall, state, mode } = this.#request;
    const abstained = this.#rules.flatMap((rule) =>
      rule.reason === undefined ? [] : [`rule "${rule.name}" abstains: ${rule.reason}`],
    );
    return [`no rule allows ${syscall} here (state ${state}, mode ${mode})`, ...abstained];
  }
}

function extensionOutcome(name: string, result: ExtensionResult | undefined): RuleOutcome {
  if (result?.kind === 'answered') {
    const { action, reason } = result;
    return { name, layer: 'extension', action, ...(reason === undefined ? {} : { reason }) };
  }
  const reason =
    result === undefined ? 'the extension was not asked' : `the extension gave no answer: ${result.failure}`;
  return { name, layer: 'extension', action: 'deny', reason };
}
