import { compileCondition, compileRule } from '../rules/compile-rule.ts';
import { covers } from '../rules/covers.ts';
import { exampleRequest } from './example-request.ts';
import { KNOWN_SYSCALLS, nearestSyscall } from './known-syscalls.ts';
import type { ConditionDocument, PolicyDocument, RuleDocument } from './policy-schema.ts';
import { findShadowed } from './shadowed-rules.ts';
import { matchCondition, toSubject } from '../rules/match-condition.ts';

/** Something about a well-formed document, at a path inside it. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** Finds what the form of a policy can't tell: contradictions (errors) and rules without effect (warnings). */
export function lintPolicy(document: PolicyDocument): readonly Finding[] {
  const rules = document.capabilities ?? [];
  return [
    ...duplicateNames(
      rules.map((rule) => rule.name),
      ['capabilities'],
    ),
    ...duplicateNames(
      (document.extensions ?? []).map((extension) => extension.name),
      ['extensions'],
    ),
    ...rules.flatMap((rule, index) => lintRule(rule, ['capabilities', index])),
    ...(document.extensions ?? []).flatMap((extension, index) => lintExtension(extension, ['extensions', index])),
    ...findShadowed(rules).map(({ index, by }) => ({
      path: ['capabilities', index],
      message: `rule "${rules[index]?.name ?? ''}" can have no effect: rule "${by}" denies everything it matches`,
      severity: 'warning' as const,
    })),
  ];
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

function lintRule(rule: RuleDocument, path: readonly PropertyKey[]): Finding[] {
  const warnings: Finding[] = [];
  const warn = (at: readonly PropertyKey[], message: string) =>
    warnings.push({ path: [...path, ...at], message, severity: 'warning' });

  const match = compileCondition(rule.match);
  for (const [index, exception] of (rule.except ?? []).entries()) {
    if (covers(compileCondition(exception), match)) {
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
    const message = `constraints say what an allow is tied to; rule "${rule.name}" does not allow`;
    errors.push({ path: [...path, 'constraints'], message, severity: 'error' });
  }
  return [...warnings, ...errors, ...lintExamples(rule, path)];
}

/** Files that an extension might close cannot be shown to code that runs in the project, which could print them; and it is not asked about each. */
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
  for (const syscall of condition.syscall ?? []) {
    if (KNOWN_SYSCALLS.includes(syscall)) continue;
    const nearest = nearestSyscall(syscall);
    const hint = nearest === null ? 'no shipped tool asks for it' : `did you mean "${nearest}"?`;
    warn(['syscall'], `unknown syscall "${syscall}": ${hint}`);
  }
}

function lintExamples(rule: RuleDocument, path: readonly PropertyKey[]): Finding[] {
  const compiled = compileRule(rule);
  const check = (kind: 'match' | 'no_match'): Finding[] =>
    (rule.examples?.[kind] ?? []).flatMap((example, index): Finding[] => {
      const subject = toSubject(exampleRequest(rule, example));
      const matches =
        matchCondition(compiled.match, subject) &&
        !compiled.except.some((exception) => matchCondition(exception, subject));
      if (matches === (kind === 'match')) return [];
      const verb = matches ? 'matches' : 'does not match';
      const message = `rule "${rule.name}" ${verb} its example ${JSON.stringify(example)}`;
      return [{ path: [...path, 'examples', kind, index], message, severity: 'error' }];
    });
  return [...check('match'), ...check('no_match')];
}
