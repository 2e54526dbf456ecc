import type { ExtensionResult, PolicyRequest } from '../../../contracts/policy.ts';
import type { CompiledPolicy, ExtensionSettings } from '../compiled-policy.ts';
import { pathClasses } from '../path-classes.ts';
import { matchCondition, toSubject } from '../rules/match-condition.ts';
import type { Subject } from '../rules/match-condition.ts';

/** Whether the extension wants to hear of such a request. One without a `match` hears of all. */
export function wantsToHear({ match }: ExtensionSettings, subject: Subject): boolean {
  return match === undefined || matchCondition(match, subject);
}

/** The extensions that have a say in this request, in the order of the policy. */
export function askedExtensions(policy: CompiledPolicy, request: PolicyRequest): readonly ExtensionSettings[] {
  const { extensions } = policy;
  if (extensions.length === 0) return extensions;
  const subject = toSubject(request, (path) => pathClasses(policy, path));
  return extensions.filter((extension) => wantsToHear(extension, subject));
}

/** As if each extension of the policy had nothing to say: for what compares or explains what the files say, and runs none. */
export function abstentions({ extensions }: CompiledPolicy): readonly ExtensionResult[] {
  return extensions.map(({ name }) => ({ kind: 'answered', name, action: 'pass' }));
}
