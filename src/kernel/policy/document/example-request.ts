import type { PolicyRequest } from '../../../contracts/policy.ts';
import type { RuleDocument, RuleExample } from './policy-schema.ts';

/** The request that an example of a rule means. A missing field gets the first value of the rule's own `match`. */
export function exampleRequest(rule: RuleDocument, example: RuleExample): PolicyRequest {
  const { match } = rule;
  return {
    syscall: example.syscall ?? match.syscall?.[0] ?? 'fs.read',
    path: example.path,
    host: example.host ?? match.host?.[0]?.source.replace(/^\*\./, 'any.'),
    state: example.state ?? match.state_machine_state?.[0] ?? 'idle',
    mode: example.mode ?? match.session_mode?.[0] ?? 'strict',
    tags: example.tags ?? match.caller_tag?.slice(0, 1) ?? [],
    plugin: example.plugin ?? match.plugin?.[0],
    template: example.template ?? match.sandbox_template?.[0],
    command: example.command ?? match.command?.[0]?.source.filter((item) => item !== '$'),
    effects: example.effects ?? match.effects?.[0],
  };
}
