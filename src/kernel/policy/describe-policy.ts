import { conditionText } from '../../lib/evidence/conditions.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { CompiledRule, Condition } from './rules/compiled-rule.ts';

/**
 * The policy as plain data with the field names of a policy file, and with the built-in rules. For people and for JSON.
 */
export function describePolicy(policy: CompiledPolicy): object {
  const { workspace, review, sanitizer, scheduler, audit, techDebt } = policy;
  return {
    version: 1,
    builtin: policy.builtin.rules.map(describeRule),
    capabilities: policy.yaml.rules.map(describeRule),
    network_whitelist: Object.fromEntries(
      [...policy.networkWhitelist].map(([group, hosts]) => [group, hosts.map((host) => host.source)]),
    ),
    tdd_exemptions: Object.fromEntries(
      [...policy.tddExemptions].map(([category, { paths, typeOnlyChange }]) => [
        category,
        // Every list must match. There is a second list if a project's policy has narrowed the first.
        {
          path_glob: paths.length === 1 ? paths[0]?.sources : paths.map((set) => set.sources),
          ...(typeOnlyChange ? { condition: 'type_only_change' } : {}),
        },
      ]),
    ),
    workspace: {
      test_globs: workspace.tests.sources,
      test_except: workspace.notTests.sources,
      docs_globs: workspace.docs.sources,
      other_globs: workspace.other.sources,
      source_globs: workspace.source.sources,
    },
    review: {
      max_diff_lines: review.maxDiffLines,
      max_diff_bytes: review.maxDiffBytes,
      exemptions: review.exemptions,
      auto_approve: review.autoApprove === 'never' ? 'never' : review.autoApprove.map(conditionText),
      mutation: review.mutation,
      sensitive_globs: review.sensitive.sources,
    },
    sanitizer: {
      max_result_tokens: sanitizer.maxResultTokens,
      patterns: sanitizer.patterns.map(({ name, prefix, minLength }) => ({ name, prefix, min_length: minLength })),
    },
    scheduler: {
      global_max: scheduler.globalMax,
      per_template: scheduler.perTemplate,
      age_threshold: `${scheduler.ageThresholdMs}ms`,
    },
    audit: {
      retention_days: audit.retentionDays,
      max_size: audit.maxSizeBytes,
      rotation: audit.rotation,
      export_format: 'jsonl',
    },
    tech_debt: {
      coverage: {
        baseline_file: techDebt.baselineFile,
        min_delta: techDebt.minDelta,
        warning_threshold: techDebt.warningThreshold,
        lockout_threshold: techDebt.lockoutThreshold,
      },
    },
    extensions: policy.extensions.map(({ name, entry, sha256, match }) => ({
      name,
      entry,
      sha256,
      ...(match === undefined ? {} : { match: describeCondition(match) }),
    })),
  };
}

function describeRule(rule: CompiledRule): object {
  const { constraints } = rule;
  return {
    name: rule.name,
    match: describeCondition(rule.match),
    ...(rule.except.length > 0 ? { except: rule.except.map(describeCondition) } : {}),
    action: rule.action,
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
    ...(constraints === null
      ? {}
      : {
          constraints: {
            ...(constraints.maxFileSizeBytes === undefined ? {} : { max_file_size: constraints.maxFileSizeBytes }),
            ...(constraints.requireSandbox === undefined ? {} : { require_sandbox: constraints.requireSandbox }),
            ...(constraints.requireCapabilityToken === true ? { require_capability_token: true } : {}),
          },
        }),
  };
}

function describeCondition(condition: Condition): object {
  const fields = {
    syscall: condition.syscalls,
    path_glob: condition.globs?.map((glob) => glob.source) ?? null,
    caller_tag: condition.tags,
    plugin: condition.plugins,
    session_mode: condition.modes,
    state_machine_state: condition.states,
    sandbox_template: condition.templates,
    host: condition.hosts?.map((host) => host.source) ?? null,
    path_class: condition.classes,
    command: condition.commands?.map((command) => command.source) ?? null,
    effects: condition.effects,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, values]) => values !== null));
}
