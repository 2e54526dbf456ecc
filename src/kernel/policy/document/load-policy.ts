import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import type { ProtectedLocations } from '../../../contracts/protected-locations.ts';
import { replacedLists } from '../merge-sections.ts';
import { builtinRules } from '../builtin/builtin-rules.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import { compilePolicy } from './compile-policy.ts';
import { nearestWord } from '../../../lib/text/nearest-word.ts';
import { excerpt, quoted } from './excerpt.ts';
import { lintPolicy } from './lint-policy.ts';
import type { Finding } from './lint-policy.ts';
import { conditionSchema, policySchema, ruleSchema } from './policy-schema.ts';
import type { PolicyDocument } from './policy-schema.ts';
import { readYaml } from './read-yaml.ts';
import type { YamlTree } from './read-yaml.ts';
import { RuleIndex } from '../rules/rule-index.ts';
import type { CompiledRule } from '../rules/compiled-rule.ts';

export interface LoadOptions {
  /** Fluffy's own files inside the project. */
  readonly locations?: Partial<ProtectedLocations> | undefined;
  /** Replaces the built-in rules: for tests only. */
  readonly builtins?: readonly CompiledRule[];
}

/**
 * `empty`: the file has no content. Such a policy allows nothing and is never replaced by a default. `document` is the
 * input of `combinePolicies`.
 */
export type LoadedPolicy =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      readonly document: PolicyDocument;
      /** Lists that replace the shipped ones if this policy is signed (`replacedLists`). */
      readonly replaces: ReadonlySet<string>;
      readonly empty: boolean;
      /** The position in the text of a part of the document. */
      readonly locate: YamlTree['locate'];
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    };

/**
 * Reads, checks and compiles the text of a policy file, without I/O. `file` is the name shown in diagnostics. An error
 * is a rule that would not mean what it seems to mean; a warning is a rule without effect.
 */
export function loadPolicy(text: string, file: string, options: LoadOptions = {}): LoadedPolicy {
  const hash = createHash('sha256').update(text, 'utf8').digest('hex');
  const builtin = new RuleIndex(options.builtins ?? builtinRules(options.locations));
  const read = readYaml(text, file);
  if (read.kind === 'invalid') return { kind: 'invalid', errors: read.errors, warnings: [] };
  if (read.kind === 'empty') {
    const message = 'the file is empty: every call that no built-in rule allows is denied';
    const warnings = [{ file, line: 1, column: 1, message, severity: 'warning' as const }];
    return {
      kind: 'ok',
      policy: compilePolicy({}, hash, builtin),
      document: {},
      replaces: new Set(),
      empty: true,
      locate: () => ({ line: 1, column: 1 }),
      warnings,
    };
  }
  const parsed = policySchema.safeParse(read.tree.value);
  if (!parsed.success) {
    const errors = parsed.error.issues.flatMap((issue) => describeIssue(issue, read.tree, file));
    return { kind: 'invalid', errors: firstErrors(errors), warnings: [] };
  }
  const findings = lintPolicy(parsed.data, builtin).map((finding) => place(finding, read.tree, file));
  const errors = firstErrors(findings.filter((finding) => finding.severity === 'error'));
  const warnings = findings.filter((finding) => finding.severity === 'warning').toSorted(byPlace);
  if (errors.length > 0) return { kind: 'invalid', errors, warnings };
  const policy = compilePolicy(parsed.data, hash, builtin);
  const replaces = replacedLists(read.tree.value);
  return { kind: 'ok', policy, document: parsed.data, replaces, empty: false, locate: read.tree.locate, warnings };
}

function place(finding: Finding, tree: YamlTree, file: string): PolicyDiagnostic {
  const { message, severity } = finding;
  return { file, ...tree.locate(finding.path), message, severity };
}

function describeIssue(issue: z.core.$ZodIssue, tree: YamlTree, file: string): PolicyDiagnostic[] {
  const severity = 'error' as const;
  if (issue.code === 'unrecognized_keys' || issue.code === 'invalid_key') {
    const keys: readonly PropertyKey[] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const parents = issue.code === 'unrecognized_keys' ? issue.path : issue.path.slice(0, -1);
    return (keys.length > 0 ? keys : issue.path.slice(-1)).map((key) => ({
      file,
      ...tree.locate([...parents, key], true),
      message: `${fieldName(parents)}unknown key ${quoted(String(key))}${nearestKey(String(key))}`,
      severity,
    }));
  }
  return [{ file, ...tree.locate(issue.path), message: `${fieldName(issue.path)}${issue.message}`, severity }];
}

/** Every key that any part of a policy file may have. */
const KNOWN_KEYS: readonly string[] = [
  ...Object.keys(policySchema.shape),
  ...Object.keys(ruleSchema.shape),
  ...Object.keys(conditionSchema.shape),
  ...[
    'max_file_size',
    'require_sandbox',
    'require_capability_token',
    'no_match',
    'path',
    'state',
    'mode',
    'tags',
    'template',
  ],
  ...['test_globs', 'test_except', 'docs_globs', 'other_globs', 'source_globs', 'max_diff_lines', 'max_diff_bytes'],
  ...[
    'exemptions',
    'auto_approve',
    'mutation',
    'sensitive_globs',
    'max_result_tokens',
    'patterns',
    'prefix',
    'min_length',
    'global_max',
  ],
  ...['per_template', 'age_threshold', 'retention_days', 'max_size', 'rotation', 'export_format', 'entry', 'sha256'],
];

function nearestKey(key: string): string {
  const nearest = nearestWord(key, KNOWN_KEYS);
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}

/** A file in a completely different format has too many errors; the first ones are enough. */
const MAX_ERRORS = 10;

function firstErrors(errors: readonly PolicyDiagnostic[]): readonly PolicyDiagnostic[] {
  const sorted = errors.toSorted(byPlace);
  const [last] = sorted.slice(MAX_ERRORS - 1);
  if (sorted.length <= MAX_ERRORS || last === undefined) return sorted;
  return [
    ...sorted.slice(0, MAX_ERRORS),
    { ...last, message: `and ${sorted.length - MAX_ERRORS} more errors from here on` },
  ];
}

function fieldName(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${excerpt(String(step))}`)).join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}

function byPlace(a: PolicyDiagnostic, b: PolicyDiagnostic): number {
  return a.line - b.line || a.column - b.column;
}
