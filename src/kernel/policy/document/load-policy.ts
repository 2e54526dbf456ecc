import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import type { ProtectedLocations } from '../../../contracts/protected-locations.ts';
import { replacedLists } from '../merge-sections.ts';
import { builtinRules } from '../builtin/builtin-rules.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import { compilePolicy } from './compile-policy.ts';
import { excerpt, quoted } from './excerpt.ts';
import { lintPolicy } from './lint-policy.ts';
import type { Finding } from './lint-policy.ts';
import { policySchema } from './policy-schema.ts';
import type { PolicyDocument } from './policy-schema.ts';
import { readYaml } from './read-yaml.ts';
import type { YamlTree } from './read-yaml.ts';
import { RuleIndex } from '../rules/rule-index.ts';
import type { CompiledRule } from '../rules/compiled-rule.ts';

export interface LoadOptions {
  /** Paths inside the project that are Fluffy's own. */
  readonly locations?: Partial<ProtectedLocations> | undefined;
  /** Stands in for the built-in rules: tests only. */
  readonly builtins?: readonly CompiledRule[];
}

/**
 * `empty` is set for a file without any content: it is a policy that allows nothing, and never a reason to use a default.
 * `document` is what `combinePolicies` works on.
 */
export type LoadedPolicy =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      readonly document: PolicyDocument;
      /** Lists that take the place of the shipped ones where this policy is signed (`replacedLists`). */
      readonly replaces: ReadonlySet<string>;
      readonly empty: boolean;
      /** Where a part of the document is in the text. */
      readonly locate: YamlTree['locate'];
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    };

/**
 * Reads, checks and compiles the text of a policy file; no I/O. `file` is the name that diagnostics carry.
 * Errors are what would make a rule mean something else than it seems to; warnings are rules that can have no effect.
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
    return { kind: 'invalid', errors: errors.toSorted(byPlace), warnings: [] };
  }
  const findings = lintPolicy(parsed.data, builtin).map((finding) => place(finding, read.tree, file));
  const errors = findings.filter((finding) => finding.severity === 'error').toSorted(byPlace);
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
      message: `${fieldName(parents)}unknown key ${quoted(String(key))}`,
      severity,
    }));
  }
  return [{ file, ...tree.locate(issue.path), message: `${fieldName(issue.path)}${issue.message}`, severity }];
}

function fieldName(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${excerpt(String(step))}`)).join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}

function byPlace(a: PolicyDiagnostic, b: PolicyDiagnostic): number {
  return a.line - b.line || a.column - b.column;
}
