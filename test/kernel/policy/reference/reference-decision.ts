import { referenceGlob } from './reference-glob.ts';

/** A rule, a condition and a request as plain data under the names of the specification. */
export type ReferenceCondition = Readonly<Record<string, readonly string[]>>;

export interface ReferenceRule {
  readonly name: string;
  readonly match: ReferenceCondition;
  readonly except: readonly ReferenceCondition[];
  readonly action: 'allow' | 'deny' | 'pass' | 'require_review';
  readonly reason: string;
}

export interface ReferenceRequest {
  readonly syscall: string;
  readonly path?: string;
  readonly host?: string;
  readonly state: string;
  readonly mode: string;
  readonly tags: readonly string[];
  readonly plugin?: string;
  readonly template?: string;
}

export interface ReferenceDecision {
  readonly decision: 'allow' | 'deny' | 'require_review';
  /** Unordered. */
  readonly reasons: ReadonlySet<string>;
}

/**
 * The evaluation as the specification words it, without any index, order or early end: every rule says what it says; a deny denies; else a
 * require_review asks; else an allow allows; else denied.
 */
export function referenceDecision(rules: readonly ReferenceRule[], request: ReferenceRequest): ReferenceDecision {
  const outcomes = rules.map((rule) => ({ rule, says: evaluate(rule, request) }));
  const reasonsOf = (action: string) =>
    new Set(outcomes.filter((outcome) => outcome.says === action).map((outcome) => outcome.rule.reason));
  for (const decision of ['deny', 'require_review', 'allow'] as const) {
    const reasons = reasonsOf(decision);
    if (reasons.size > 0) return { decision, reasons };
  }
  return { decision: 'deny', reasons: new Set() };
}

function evaluate(rule: ReferenceRule, request: ReferenceRequest): string {
  if (!meets(rule.match, request)) return 'pass';
  return rule.except.some((exception) => meets(exception, request)) ? 'pass' : rule.action;
}

function meets(condition: ReferenceCondition, request: ReferenceRequest): boolean {
  return Object.entries(condition).every(([field, values]) => values.some((value) => meetsOne(field, value, request)));
}

function meetsOne(field: string, value: string, request: ReferenceRequest): boolean {
  if (field === 'syscall') return request.syscall === value;
  if (field === 'path_glob') return request.path !== undefined && referenceGlob(value, request.path);
  if (field === 'caller_tag') return request.tags.includes(value);
  if (field === 'plugin') return request.plugin === value;
  if (field === 'session_mode') return request.mode === value;
  if (field === 'state_machine_state') return request.state === value;
  if (field === 'sandbox_template') return request.template === value;
  if (field === 'host') return request.host === value;
  throw new Error(`the reference knows no field ${field}`);
}
