import type {
  AllowConstraints,
  ExtensionResult,
  PolicyDecision,
  PolicyRequest,
  RuleOutcome,
} from '../../contracts/policy.ts';
import { checkCapability } from './capabilities/check-capability.ts';
import type { CapabilityClaim } from './capabilities/check-capability.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { holdConstraints } from './constraints.ts';
import { abstentions, askedExtensions, matchesRequest } from './extensions/asked-extensions.ts';
import { pathClasses } from './path-classes.ts';
import { toSubject } from './rules/match-condition.ts';
import type { RuleListener } from './rules/rule-index.ts';

export interface DecisionContext {
  /** Read once by the caller for the whole evaluation, so that nothing expires during it. */
  readonly nowMonotonicMs: number;
  readonly token?: CapabilityClaim | undefined;
  /** One result for each extension that is asked (`askedExtensions`). A missing result counts as failed. */
  readonly extensionResults?: readonly ExtensionResult[] | undefined;
}

/**
 * Decides one request. Pure. Built-in rules come first and apply to every request. Then a valid capability replaces the
 * remaining layers; without one, YAML rules and extensions are evaluated. A deny is strongest, then require_review,
 * then allow; without any match the result is deny. A rule that only tightens turns an allow into a review. Within a
 * layer every rule is evaluated, so neither decision nor explanation depends on the order of rules. After a layer that
 * denies, later layers are skipped (`extensionResults` are then unused and may be missing: see `needsExtensions`).
 */
export function decide(policy: CompiledPolicy, request: PolicyRequest, context: DecisionContext): PolicyDecision {
  const subject = toSubject(request, (path) => pathClasses(policy, path, request));
  if (subject.path !== null && !subject.path.normal) return refuseUnnormalised();
  const tally = new Tally(request);
  if (request.host !== undefined && subject.host === null) {
    tally.warn('the host is not written in its one plain form; no rule matches it');
  }

  // Built-in rules match folded paths only, because their own patterns are folded.
  policy.builtin.visit(subject.path === subject.folded ? subject : { ...subject, path: subject.folded }, tally);
  if (tally.denied) return tally.conclude();

  if (context.token !== undefined) {
    const check = checkCapability(context.token, subject, context.nowMonotonicMs);
    if (check.kind === 'valid') return tally.conclude('token');
    tally.warn(`the capability is not valid (${check.refusal}); decided by the rules`);
  }

  policy.yaml.visit(subject, tally);
  if (tally.denied) return tally.conclude();

  for (const extension of policy.extensions) {
    const { name } = extension;
    if (!matchesRequest(extension, subject)) continue;
    tally.addExtension(
      name,
      context.extensionResults?.find((result) => result.name === name),
    );
  }
  return tally.conclude();
}

/** Whether the outcome can depend on extensions, so that they must run before the final `decide`. */
export function needsExtensions(policy: CompiledPolicy, request: PolicyRequest, context: DecisionContext): boolean {
  if (askedExtensions(policy, request).length === 0) return false;
  const decision = decide(policy, request, { ...context, extensionResults: abstentions(policy) });
  return !decision.byToken && !decision.rules.some((rule) => rule.action === 'deny');
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

const NONE: readonly never[] = Object.freeze([]);

/** The outcomes so far. Few rules match most requests, so a list is created only for its first entry. */
class Tally implements RuleListener {
  denied = false;
  readonly #request: PolicyRequest;
  #rules: RuleOutcome[] | null = null;
  #warnings: string[] | null = null;
  /** The constraints of each rule that allows; used only if every one of these rules has constraints. */
  #open: AllowConstraints[] | null = null;
  #unconditional = false;
  #review = false;
  #reviewIfAllowed = false;

  constructor(request: PolicyRequest) {
    this.#request = request;
  }

  warn(warning: string): void {
    (this.#warnings ??= []).push(warning);
  }

  addOutcome(outcome: RuleOutcome, constraints: AllowConstraints | null, onlyTightens: boolean): void {
    if (onlyTightens) {
      (this.#rules ??= []).push(outcome);
      this.#reviewIfAllowed = true;
      return;
    }
    if (constraints === null) {
      this.#count(outcome);
      return;
    }
    const held = holdConstraints(constraints, this.#request);
    const { name, layer } = outcome;
    if (held.kind === 'broken') this.#count({ name, layer, action: 'pass', reason: held.reason });
    else this.#count(outcome, held.open);
  }

  addExtension(name: string, result: ExtensionResult | undefined): void {
    this.#count(extensionOutcome(name, result));
  }

  #count(outcome: RuleOutcome, open: AllowConstraints | null = null): void {
    (this.#rules ??= []).push(outcome);
    if (outcome.action === 'deny') this.denied = true;
    else if (outcome.action === 'require_review') this.#review = true;
    else if (outcome.action === 'allow') {
      if (open === null) this.#unconditional = true;
      else (this.#open ??= []).push(open);
    }
  }

  conclude(by: 'rules' | 'token' = 'rules'): PolicyDecision {
    if (this.denied) return this.#decision('deny', this.#reasonsOf('deny'));
    const allowed = by === 'token' || this.#unconditional || this.#open !== null;
    if (this.#review) return this.#decision('require_review', this.#reasonsOf('require_review'));
    if (this.#reviewIfAllowed && allowed) {
      const open = this.#unconditional || by === 'token' ? NONE : (this.#open ?? NONE);
      return this.#decision('require_review', this.#reasonsOf('require_review'), open);
    }
    if (by === 'token') return { ...this.#decision('allow', ['the capability is valid']), byToken: true };
    if (this.#unconditional) return this.#decision('allow', this.#reasonsOf('allow'));
    if (this.#open !== null) return this.#decision('allow', this.#reasonsOf('allow'), this.#open);
    return this.#decision('deny', this.#reasonsForNothing());
  }

  #decision(
    decision: PolicyDecision['decision'],
    reasons: readonly string[],
    constraints: readonly AllowConstraints[] = NONE,
  ): PolicyDecision {
    const rules = this.#rules ?? NONE;
    return { decision, byToken: false, rules, reasons, warnings: this.#warnings ?? NONE, constraints };
  }

  #reasonsOf(action: RuleOutcome['action']): readonly string[] {
    let reasons: string[] | null = null;
    for (const rule of this.#rules ?? NONE) {
      if (rule.action !== action) continue;
      if (rule.reason !== undefined) (reasons ??= []).push(rule.reason);
      else if (action !== 'allow') (reasons ??= []).push(`rule "${rule.name}" says so`);
    }
    return reasons ?? NONE;
  }

  #reasonsForNothing(): readonly string[] {
    const { syscall, state, mode } = this.#request;
    const reasons = [`no rule allows ${syscall} here (state ${state}, mode ${mode})`];
    for (const { name, action, reason } of this.#rules ?? NONE) {
      if (action === 'pass' && reason !== undefined) reasons.push(`rule "${name}" abstains: ${reason}`);
    }
    return reasons;
  }
}

function extensionOutcome(name: string, result: ExtensionResult | undefined): RuleOutcome {
  if (result?.kind === 'answered') {
    const { action, reason } = result;
    return { name, layer: 'extension', action, ...(reason === undefined ? {} : { reason }) };
  }
  const reason =
    result === undefined
      ? `the extension "${name}" was not asked`
      : `the extension "${name}" gave no answer: ${result.failure}`;
  return { name, layer: 'extension', action: 'deny', reason };
}
