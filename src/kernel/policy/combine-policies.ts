import { createHash } from 'node:crypto';
import type { PolicyDiagnostic } from '../../contracts/policy.ts';
import type { CompiledPolicy, ExemptionCategory, ExemptionSettings } from './compiled-policy.ts';
import { compilePolicy } from './document/compile-policy.ts';
import type { LoadedPolicy } from './document/load-policy.ts';
import type { PolicyDocument } from './document/policy-schema.ts';
import type { Glob } from '../../lib/globs/glob.ts';
import { GlobSet } from '../../lib/globs/glob-set.ts';
import { parseGlob } from '../../lib/globs/parse-glob.ts';
import type { CompiledRule, Condition } from './rules/compiled-rule.ts';
import { ANY_REQUEST } from './rules/compiled-rule.ts';
import { mergeSections } from './merge-sections.ts';
import { coversHost } from './rules/host-pattern.ts';
import type { HostPattern } from './rules/host-pattern.ts';
import { RuleIndex } from './rules/rule-index.ts';
import { TOOLS } from '../tools/registry.ts';

type Loaded = Extract<LoadedPolicy, { kind: 'ok' }>;

export type CombinedPolicy =
  | { readonly kind: 'ok'; readonly policy: CompiledPolicy; readonly warnings: readonly PolicyDiagnostic[] }
  | { readonly kind: 'invalid'; readonly errors: readonly PolicyDiagnostic[] };

/**
 * The policy in force for a project with a policy of its own. `signed`: the user has signed exactly this text. Signed:
 * its rules are added to the shipped ones, a rule replaces the shipped rule of the same name, and its sections are
 * merged into the shipped ones (`mergeSections`). Unsigned: it comes from the author of the repository, and can only
 * narrow (`narrow`). An empty project policy is an error and never a default: emptying the file must not remove the
 * deny rules in it.
 */
export function combinePolicies(
  shipped: Loaded,
  project: Loaded,
  trust: { readonly signed: boolean; readonly file: string },
): CombinedPolicy {
  const { file, signed } = trust;
  if (project.empty) {
    const message =
      'the project policy is empty; delete the file to have the shipped policy, or write what it should say';
    return { kind: 'invalid', errors: [{ file, line: 1, column: 1, message, severity: 'error' }] };
  }
  const hash = createHash('sha256')
    .update(`${shipped.policy.hash}\n${project.policy.hash}\n${signed ? 'signed' : 'unsigned'}\n`)
    .digest('hex');
  return signed
    ? { kind: 'ok', policy: extend(shipped, project, hash), warnings: [] }
    : narrow(shipped, project, hash, file);
}

function extend(shipped: Loaded, project: Loaded, hash: string): CompiledPolicy {
  const own = project.document.capabilities ?? [];
  const replaced = new Set(own.map((rule) => rule.name));
  const kept = (shipped.document.capabilities ?? []).filter((rule) => !replaced.has(rule.name));
  const sections = mergeSections(shipped.document, project.document, project.replaces);
  const document: PolicyDocument = { ...sections, capabilities: [...kept, ...own] };
  return compilePolicy(document, hash, shipped.policy.builtin);
}

/**
 * Applies an unsigned project policy. It may deny, require review of what is otherwise allowed, make fewer files
 * writable or exempt, require review of more changes, allow fewer hosts, and hide more secrets. Anything else is
 * ignored with a warning and is not an error: a repository must stay usable for a person who does not trust its policy.
 */
function narrow(shipped: Loaded, project: Loaded, hash: string, file: string): CombinedPolicy {
  const { policy, document } = { policy: shipped.policy, document: project.document };
  const warnings: PolicyDiagnostic[] = [];
  const ignore = (path: readonly PropertyKey[], what: string) => {
    const message = `ignored: ${what} counts only in a policy that you have signed (fluffy config policy edit)`;
    warnings.push({ file, ...project.locate(path), message, severity: 'warning' });
  };

  for (const [index, rule] of (document.capabilities ?? []).entries()) {
    if (rule.action === 'allow') ignore(['capabilities', index], `the allow "${rule.name}"`);
  }
  for (const section of ['scheduler', 'audit', 'tech_debt', 'extensions'] as const) {
    if (document[section] !== undefined) ignore([section], `the section ${section}`);
  }
  for (const key of ['docs_globs', 'other_globs', 'test_except'] as const) {
    if (document.workspace?.[key] !== undefined) ignore(['workspace', key], `workspace.${key}`);
  }

  const shippedNames = new Set(policy.yaml.rules.map((rule) => rule.name));
  const own = project.policy.yaml.rules
    .filter((rule) => rule.action !== 'allow')
    .map((rule): CompiledRule => {
      const name = shippedNames.has(rule.name) ? `${rule.name} (project)` : rule.name;
      // The author of the repository must not prevent its owner from changing the policy.
      const except = [...rule.except, { ...ANY_REQUEST, syscalls: ['policy.update'] }];
      return { ...rule, name, except, ...(rule.action === 'require_review' ? { onlyTightens: true } : {}) };
    });
  const sanitizer = document.sanitizer;
  const review = document.review;
  const combined: CompiledPolicy = {
    ...policy,
    hash,
    yaml: new RuleIndex([...policy.yaml.rules, ...own, ...workspaceRules(document)]),
    review: {
      exemptions: review?.exemptions === 'ask' ? 'ask' : policy.review.exemptions,
      autoApprove: bothConditions(policy.review.autoApprove, review?.auto_approve ?? []),
      mutation: review?.mutation === 'run' ? 'run' : policy.review.mutation,
      maxDiffLines: Math.min(policy.review.maxDiffLines, review?.max_diff_lines ?? Infinity),
      maxDiffBytes: Math.min(policy.review.maxDiffBytes, review?.max_diff_bytes ?? Infinity),
      sensitive: new GlobSet([...policy.review.sensitive.globs, ...(review?.sensitive_globs ?? [])], 'folded'),
    },
    networkWhitelist: narrowHosts(policy.networkWhitelist, project.policy.networkWhitelist),
    tddExemptions: narrowExemptions(policy.tddExemptions, project.policy.tddExemptions),
    sanitizer: {
      maxResultTokens: Math.min(policy.sanitizer.maxResultTokens, sanitizer?.max_result_tokens ?? Infinity),
      patterns: [...policy.sanitizer.patterns, ...project.policy.sanitizer.patterns],
    },
  };
  return { kind: 'ok', policy: combined, warnings };
}

const WRITES: readonly string[] = TOOLS.withEffect('write');

/**
 * A longer or shorter list of test globs is not stricter by itself, because a file that is no test is source. So a
 * narrower workspace becomes rules: where tests are written, only files that both policies class as tests; where source
 * is written, only files that both class as source.
 */
function workspaceRules(document: PolicyDocument): readonly CompiledRule[] {
  const outside = (name: string, globs: readonly Glob[], states: readonly string[], reason: string): CompiledRule => ({
    name,
    layer: 'yaml',
    action: 'deny',
    reason,
    match: { ...ANYWHERE, syscalls: WRITES, states },
    except: [{ ...ANYWHERE, globs }],
    constraints: null,
  });
  const tests = document.workspace?.test_globs;
  const source = document.workspace?.source_globs;
  return [
    ...(tests === undefined
      ? []
      : [
          outside(
            'workspace.test_globs (project)',
            tests,
            ['test_writing', 'retroactive_testing'],
            'The project keeps its tests elsewhere',
          ),
        ]),
    ...(source === undefined
      ? []
      : [
          outside(
            'workspace.source_globs (project)',
            source,
            ['code_writing'],
            'The project keeps its source elsewhere',
          ),
        ]),
  ];
}

const EVERYTHING = parseGlob('**');
const ANYWHERE: Condition = { ...ANY_REQUEST, globs: EVERYTHING.kind === 'ok' ? [EVERYTHING.glob] : [] };

/**
 * In a group that the project also names, a host stays only if the project lists it. Groups that only the project names
 * open nothing.
 */
function narrowHosts(
  shipped: ReadonlyMap<string, readonly HostPattern[]>,
  project: ReadonlyMap<string, readonly HostPattern[]>,
): ReadonlyMap<string, readonly HostPattern[]> {
  const narrowed = new Map<string, readonly HostPattern[]>();
  for (const [group, hosts] of shipped) {
    const own = project.get(group);
    narrowed.set(group, own === undefined ? hosts : hosts.filter((host) => own.some((one) => coversHost(one, host))));
  }
  return narrowed;
}

function narrowExemptions(
  shipped: ReadonlyMap<ExemptionCategory, ExemptionSettings>,
  project: ReadonlyMap<ExemptionCategory, ExemptionSettings>,
): ReadonlyMap<ExemptionCategory, ExemptionSettings> {
  const narrowed = new Map<ExemptionCategory, ExemptionSettings>();
  for (const [category, settings] of shipped) {
    const own = project.get(category);
    narrowed.set(
      category,
      own === undefined
        ? settings
        : { paths: [...settings.paths, ...own.paths], typeOnlyChange: settings.typeOnlyChange || own.typeOnlyChange },
    );
  }
  return narrowed;
}

/** The conditions of both policies. */
function bothConditions(
  shipped: CompiledPolicy['review']['autoApprove'],
  own: CompiledPolicy['review']['autoApprove'],
): CompiledPolicy['review']['autoApprove'] {
  return shipped === 'never' || own === 'never' ? 'never' : [...shipped, ...own];
}
