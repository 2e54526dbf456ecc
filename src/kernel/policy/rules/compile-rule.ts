import type { AllowConstraints } from '../../../contracts/policy.ts';
import type { ConditionDocument, RuleDocument } from '../document/policy-schema.ts';
import type { CompiledRule, Condition } from './compiled-rule.ts';

export function compileRule(rule: RuleDocument): CompiledRule {
  return {
    name: rule.name,
    layer: 'yaml',
    action: rule.action,
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
    match: compileCondition(rule.match),
    except: (rule.except ?? []).map(compileCondition),
    constraints: compileConstraints(rule.constraints),
  };
}

export function compileCondition(condition: ConditionDocument): Condition {
  return {
    syscalls: condition.syscall ?? null,
    globs: condition.path_glob ?? null,
    tags: condition.caller_tag ?? null,
    plugins: condition.plugin ?? null,
    modes: condition.session_mode ?? null,
    states: condition.state_machine_state ?? null,
    templates: condition.sandbox_template ?? null,
    hosts: condition.host ?? null,
    classes: condition.path_class ?? null,
    commands: condition.command ?? null,
    effects: condition.effects ?? null,
  };
}

function compileConstraints(constraints: RuleDocument['constraints']): AllowConstraints | null {
  if (constraints === undefined) return null;
  const compiled = {
    ...(constraints.max_file_size === undefined ? {} : { maxFileSizeBytes: constraints.max_file_size }),
    ...(constraints.require_sandbox === undefined ? {} : { requireSandbox: constraints.require_sandbox }),
    ...(constraints.require_capability_token === true ? { requireCapabilityToken: true } : {}),
  };
  return Object.keys(compiled).length === 0 ? null : compiled;
}
