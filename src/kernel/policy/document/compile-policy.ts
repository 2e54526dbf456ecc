import { perTemplate } from '../../../contracts/sandbox/sandbox-templates.ts';
import type { CompiledPolicy, ExemptionCategory, ExemptionSettings } from '../compiled-policy.ts';
import { EXEMPTION_CATEGORIES } from '../compiled-policy.ts';
import type { GradeCondition } from '../../../lib/evidence/conditions.ts';
import { GlobSet } from '../../../lib/globs/glob-set.ts';
import { compileCondition, compileRule } from '../rules/compile-rule.ts';
import { RuleIndex } from '../rules/rule-index.ts';
import type { PolicyDocument } from './policy-schema.ts';

const GIB = 1024 ** 3;

/** Used if the policy has no such section. */
const DEFAULT_AUTO_APPROVE: readonly GradeCondition[] = [
  { kind: 'status', status: 'verified' },
  { kind: 'share', of: 'mutants', percent: 66 },
];

/** Builds the policy of one document. A missing section opens nothing; missing numbers get the default values. */
export function compilePolicy(document: PolicyDocument, hash: string, builtin: RuleIndex): CompiledPolicy {
  const { workspace, review, sanitizer, scheduler, audit } = document;
  const coverage = document.tech_debt?.coverage;
  return {
    hash,
    builtin,
    yaml: new RuleIndex((document.capabilities ?? []).map(compileRule)),
    workspace: {
      tests: new GlobSet(workspace?.test_globs ?? [], 'folded'),
      notTests: new GlobSet(workspace?.test_except ?? []),
      docs: new GlobSet(workspace?.docs_globs ?? [], 'folded'),
      other: new GlobSet(workspace?.other_globs ?? [], 'folded'),
      source: new GlobSet(workspace?.source_globs ?? [], 'folded'),
    },
    review: {
      exemptions: review?.exemptions ?? 'ask',
      autoApprove: review?.auto_approve ?? DEFAULT_AUTO_APPROVE,
      mutation: review?.mutation ?? 'run',
      maxDiffLines: review?.max_diff_lines ?? 500,
      maxDiffBytes: review?.max_diff_bytes ?? 64 * 1024,
      sensitive: new GlobSet(review?.sensitive_globs ?? [], 'folded'),
    },
    networkWhitelist: new Map(Object.entries(document.network_whitelist ?? {})),
    tddExemptions: compileExemptions(document),
    sanitizer: {
      maxResultTokens: sanitizer?.max_result_tokens ?? 4000,
      patterns: (sanitizer?.patterns ?? []).map((pattern) => ({
        name: pattern.name,
        prefix: pattern.prefix,
        minLength: Math.max(pattern.min_length ?? 0, pattern.prefix.length + 1),
      })),
    },
    scheduler: {
      globalMax: scheduler?.global_max ?? 4,
      perTemplate: scheduler?.per_template ?? perTemplate(({ places }) => places),
      ageThresholdMs: scheduler?.age_threshold ?? 30_000,
    },
    audit: {
      retentionDays: audit?.retention_days ?? 90,
      maxSizeBytes: audit?.max_size ?? GIB,
      rotation: audit?.rotation ?? 'daily',
    },
    techDebt: {
      baselineFile: coverage?.baseline_file ?? '.fluffy/coverage-baseline.json',
      minDelta: coverage?.min_delta ?? 0,
      warningThreshold: coverage?.warning_threshold ?? -2,
      lockoutThreshold: coverage?.lockout_threshold ?? -5,
    },
    extensions: (document.extensions ?? []).map(({ match, ...extension }) =>
      match === undefined ? extension : { ...extension, match: compileCondition(match) },
    ),
  };
}

function compileExemptions(document: PolicyDocument): ReadonlyMap<ExemptionCategory, ExemptionSettings> {
  const exemptions = new Map<ExemptionCategory, ExemptionSettings>();
  for (const category of EXEMPTION_CATEGORIES) {
    const given = document.tdd_exemptions?.[category];
    if (given === undefined) continue;
    const typeOnlyChange = given.condition === 'type_only_change';
    exemptions.set(category, { paths: [new GlobSet(given.path_glob)], typeOnlyChange });
  }
  return exemptions;
}
