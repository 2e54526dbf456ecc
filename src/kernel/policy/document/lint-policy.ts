import { compileCondition, compileRule } from '../rules/compile-rule.ts';
import { covers, extentOf } from '../rules/covers.ts';
import { exampleRequest } from './example-request.ts';
import { excerpt, quoted } from './excerpt.ts';
import { unknownSyscall } from './known-syscalls.ts';
import type { ConditionDocument, PolicyDocument, RuleDocument, RuleExample } from './policy-schema.ts';
import { patternHint } from './pattern-hint.ts';
import { findExcess, patternsOf } from './policy-cost.ts';
import { findShadowed } from './shadowed-rules.ts';
import type { Shadowed } from './shadowed-rules.ts';
import { ruleApplies, toSubject } from '../rules/match-condition.ts';
import type { Classify } from '../rules/match-condition.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import { pathClasses } from '../path-classes.ts';
import { compilePolicy } from './compile-policy.ts';

/** A fault in a well-formed document, at a path inside it. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/**
 * Finds faults that the schema cannot find: contradictions (errors) and rules without effect (warnings). If a policy is
 * too expensive, only that is reported, because further checks would cost the same time.
 */
export function lintPolicy(document: PolicyDocument, builtin: RuleIndex): readonly Finding[] {
  const excess = findExcess(document);
  if (excess !== null) return [{ ...excess, severity: 'error' }];
  const rules = document.capabilities ?? [];
  const classes = classesOf(document, builtin);
  return [
    ...duplicateNames(
      rules.map((rule) => rule.name),
      ['capabilities'],
    ),
    ...duplicateNames(
      (document.extensions ?? []).map((extension) => extension.name),
      ['extensions'],
    ),
    ...rules.flatMap((rule, index) => lintRule(rule, ['capabilities', index], classes)),
    ...(document.extensions ?? []).flatMap((extension, index) => lintExtension(extension, ['extensions', index])),
    ...emptySections(document),
    ...strangePatterns(document),
    ...findShadowed(rules, builtin.rules).map((shadowed) => ({
      path: ['capabilities', shadowed.index],
      message: describeShadowed(rules[shadowed.index]?.name ?? '', shadowed.by),
      severity: 'warning' as const,
    })),
  ];
}

function describeShadowed(name: string, by: Shadowed['by']): string {
  const other = `${by.layer === 'builtin' ? 'the built-in rule' : 'rule'} "${by.name}"`;
  return by.action === 'deny'
    ? `rule "${name}" can have no effect: ${other} denies everything it matches`
    : `rule "${name}" never allows: ${other} asks a human about everything it matches`;
}

/** Patterns in the syntax of another tool, which load and never match. */
function strangePatterns(document: PolicyDocument): Finding[] {
  return [...patternsOf(document)].flatMap(({ globs, path }) =>
    globs.flatMap((glob, index): Finding[] => {
      const hint = patternHint(glob.source);
      if (hint === null) return [];
      return [{ path: [...path, index], message: `the pattern ${quoted(glob.source)} ${hint}`, severity: 'warning' }];
    }),
  );
}

/** Sections that an empty list switches off; such a list looks as if it was not filled in yet. */
function emptySections({ workspace, review, tdd_exemptions: exemptions }: PolicyDocument): Finding[] {
  const findings: Finding[] = [];
  const warnIfEmpty = (list: readonly unknown[] | undefined, path: readonly PropertyKey[], meaning: string) => {
    if (list?.length !== 0) return;
    const message = `${String(path.at(-1))} is an empty list, so ${meaning}`;
    findings.push({ path, message, severity: 'warning' });
  };
  warnIfEmpty(workspace?.test_globs, ['workspace', 'test_globs'], 'no file counts as a test');
  warnIfEmpty(workspace?.source_globs, ['workspace', 'source_globs'], 'no file counts as source');
  warnIfEmpty(
    review?.sensitive_globs,
    ['review', 'sensitive_globs'],
    'it makes no merge wait for a human, whatever files change',
  );
  for (const [category, exemption] of Object.entries(exemptions ?? {})) {
    const path = ['tdd_exemptions', category, 'path_glob'];
    warnIfEmpty(exemption.path_glob, path, `no file is exempt as ${category}`);
  }
  return findings;
}

function duplicateNames(names: readonly string[], path: readonly PropertyKey[]): Finding[] {
  const seen = new Set<string>();
  return names.flatMap((name, index): Finding[] => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: [...path, index, 'name'], message: `the name "${name}" is used twice`, severity: 'error' }];
  });
}

function lintRule(rule: RuleDocument, path: readonly PropertyKey[], classes: Classes): Finding[] {
  const warnings: Finding[] = [];
  const warn = (at: readonly PropertyKey[], message: string) =>
    warnings.push({ path: [...path, ...at], message, severity: 'warning' });

  const match = rule.except === undefined ? null : extentOf(compileCondition(rule.match));
  for (const [index, exception] of (rule.except ?? []).entries()) {
    if (match !== null && covers(extentOf(compileCondition(exception)), match)) {
      warn(['except', index], `rule "${rule.name}" never applies: this exception covers all that it matches`);
    }
    lintCondition(
      exception,
      (at, message) => warn(['except', index, ...at], message),
      `an exception of rule "${rule.name}"`,
    );
  }
  lintCondition(rule.match, (at, message) => warn(['match', ...at], message), `rule "${rule.name}"`);

  const errors: Finding[] = [];
  if (rule.constraints !== undefined && rule.action !== 'allow') {
    const message = `constraints restrict an allow; rule "${rule.name}" does not allow`;
    errors.push({ path: [...path, 'constraints'], message, severity: 'error' });
  }
  return [...warnings, ...errors, ...lintExamples(rule, path, classes)];
}

/**
 * A file that an extension might close cannot be shown to project code, which could print it. The extension is not
 * asked about each file.
 */
function lintExtension(
  { name, match }: NonNullable<PolicyDocument['extensions']>[number],
  path: readonly PropertyKey[],
): Finding[] {
  const warnings: Finding[] = [];
  const warn = (at: readonly PropertyKey[], message: string) =>
    warnings.push({ path: [...path, ...at], message, severity: 'warning' });
  if (match !== undefined)
    lintCondition(match, (at, message) => warn(['match', ...at], message), `extension "${name}"`);
  const reads = match?.syscall === undefined || match.syscall.includes('fs.read');
  if (reads && match?.path_glob === undefined) {
    const message = `extension "${name}" is asked about reading any file, so tests and commands see none; give it a match without fs.read, or with path_glob`;
    warn(match === undefined ? ['name'] : ['match'], message);
  }
  return warnings;
}

function lintCondition(
  condition: ConditionDocument,
  warn: (at: readonly PropertyKey[], message: string) => void,
  whose: string,
): void {
  for (const [field, values] of Object.entries(condition)) {
    if (Array.isArray(values) && values.length === 0)
      warn([field], `${field} is an empty list, so ${whose} matches nothing`);
  }
  for (const [index, syscall] of (condition.syscall ?? []).entries()) {
    const unknown = unknownSyscall(syscall);
    if (unknown !== null) warn(['syscall', index], unknown);
  }
}

function lintExamples(rule: RuleDocument, path: readonly PropertyKey[], { classify, complete }: Classes): Finding[] {
  if (rule.examples !== undefined && !complete && namesClasses(rule)) {
    const message = `the examples of rule "${rule.name}" are not checked: it asks for path_class, and this file has no section workspace`;
    return [{ path: [...path, 'examples'], message, severity: 'warning' }];
  }
  const compiled = compileRule(rule);
  const check = (kind: 'match' | 'no_match'): Finding[] =>
    (rule.examples?.[kind] ?? []).flatMap((example, index): Finding[] => {
      const matches = ruleApplies(compiled, toSubject(exampleRequest(rule, example), classify));
      if (matches === (kind === 'match')) return [];
      const verb = matches ? 'matches' : 'does not match';
      const message = `rule "${rule.name}" ${verb} its example ${describeExample(example)}`;
      return [{ path: [...path, 'examples', kind, index], message, severity: 'error' }];
    });
  return [...check('match'), ...check('no_match')];
}

/** The classes of paths by this document alone. A project's policy may leave `workspace` to the shipped policy. */
interface Classes {
  readonly classify: Classify;
  readonly complete: boolean;
}

function classesOf(document: PolicyDocument, builtin: RuleIndex): Classes {
  const { workspace, review, tddExemptions } = compilePolicy({ ...document, capabilities: [] }, '', builtin);
  const classify = (path: string) => pathClasses({ workspace, review, tddExemptions }, path);
  return { classify, complete: document.workspace !== undefined };
}

function namesClasses({ match, except }: RuleDocument): boolean {
  return [match, ...(except ?? [])].some((condition) => condition.path_class !== undefined);
}

function describeExample(example: RuleExample): string {
  const { path, ...others } = example;
  return path !== undefined && Object.keys(others).length === 0 ? quoted(path) : excerpt(JSON.stringify(example));
}
