import { referenceGlob } from './reference-glob.ts';

/** A rule, a condition and a request as plain data under the names of the specification. */
export type ReferenceCondition = Readonly<Record<string, readonly (string | readonly string[])[]>>;

/** The lists of the policy that decide of which class a path is, by the class. */
export type ReferenceClasses = Readonly<
  Partial<Record<'test' | 'docs' | 'other' | 'source' | 'sensitive', readonly string[]>>
>;

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
  readonly command?: readonly string[];
  readonly effects?: string;
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
export function referenceDecision(
  rules: readonly ReferenceRule[],
  request: ReferenceRequest,
  classes: ReferenceClasses = {},
): ReferenceDecision {
  const outcomes = rules.map((rule) => ({ rule, says: evaluate(rule, request, classes) }));
  const reasonsOf = (action: string) =>
    new Set(outcomes.filter((outcome) => outcome.says === action).map((outcome) => outcome.rule.reason));
  for (const decision of ['deny', 'require_review', 'allow'] as const) {
    const reasons = reasonsOf(decision);
    if (reasons.size > 0) return { decision, reasons };
  }
  return { decision: 'deny', reasons: new Set() };
}

/** A rule that forbids or asks takes no notice of case, nor of the directory of a program. */
function evaluate(rule: ReferenceRule, request: ReferenceRequest, classes: ReferenceClasses): string {
  const wide = rule.action === 'deny' || rule.action === 'require_review';
  const { path, command } = request;
  const asked = [request];
  if (wide && path !== undefined) asked.push({ ...request, path: path.toLowerCase() });
  if (wide && command !== undefined) {
    const [program = '', ...rest] = command;
    const name = program.split('/').at(-1) ?? '';
    asked.push(
      ...asked.flatMap((one) => [name, name.toLowerCase()].map((each) => ({ ...one, command: [each, ...rest] }))),
    );
  }
  const matches = asked.some(
    (one) => meets(rule.match, one, classes) || (wide && meets(folded(rule.match), one, classes)),
  );
  if (!matches) return 'pass';
  return rule.except.some((exception) => meets(exception, request, classes)) ? 'pass' : rule.action;
}

function folded(condition: ReferenceCondition): ReferenceCondition {
  const { path_glob } = condition;
  return path_glob === undefined
    ? condition
    : { ...condition, path_glob: path_glob.map((glob) => String(glob).toLowerCase()) };
}

function meets(condition: ReferenceCondition, request: ReferenceRequest, classes: ReferenceClasses): boolean {
  return Object.entries(condition).every(([field, values]) =>
    values.some((value) =>
      typeof value === 'string' ? meetsOne(field, value, request, classes) : begins(request.command, value),
    ),
  );
}

function meetsOne(field: string, value: string, request: ReferenceRequest, classes: ReferenceClasses): boolean {
  if (field === 'syscall') return request.syscall === value;
  if (field === 'path_glob') return request.path !== undefined && referenceGlob(value, request.path);
  if (field === 'caller_tag') return request.tags.includes(value);
  if (field === 'plugin') return request.plugin === value;
  if (field === 'session_mode') return request.mode === value;
  if (field === 'state_machine_state') return request.state === value;
  if (field === 'sandbox_template') return request.template === value;
  if (field === 'effects') return request.effects === value;
  if (field === 'host') return request.host === value;
  if (field === 'path_class') return request.path !== undefined && isIn(value, request.path, classes);
  throw new Error(`the reference knows no field ${field}`);
}

function isIn(wanted: string, path: string, classes: ReferenceClasses): boolean {
  const listed = (name: keyof ReferenceClasses) =>
    (classes[name] ?? []).some((glob) => referenceGlob(glob.toLowerCase(), path.toLowerCase()));
  if (wanted === 'sensitive') return listed('sensitive');
  const kind = (['test', 'docs', 'other', 'source'] as const).find(listed) ?? 'other';
  return kind === wanted;
}

/** Program and leading arguments; `*` is any text, `$` at the end says that nothing may follow. */
function begins(command: readonly string[] | undefined, pattern: readonly string[]): boolean {
  if (command === undefined) return false;
  const complete = pattern.at(-1) === '$';
  const items = complete ? pattern.slice(0, -1) : pattern;
  if (complete && command.length !== items.length) return false;
  return items.every((item, index) => {
    const given = command[index];
    return given !== undefined && anyText(item, given);
  });
}

function anyText(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  const remaining = rest.join('*');
  return Array.from({ length: text.length - first.length + 1 }, (_, skipped) =>
    text.slice(first.length + skipped),
  ).some((part) => anyText(remaining, part));
}
