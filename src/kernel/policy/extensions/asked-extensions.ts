import type { ExtensionResult, PolicyRequest } from '../../../contracts/policy.ts';
import type { CompiledPolicy, ExtensionSettings } from '../compiled-policy.ts';
import { pathClasses } from '../path-classes.ts';
import { matchCondition, toSubject } from '../rules/match-condition.ts';
import type { Subject } from '../rules/match-condition.ts';

/**
 * Whether the extension must be asked about this request. An extension without a `match` is asked about every request.
 */
export function matchesRequest({ match }: ExtensionSettings, subject: Subject): boolean {
  return match === undefined || matchCondition(match, subject);
}

/** The extensions that must be asked about this request, in the order of the policy. */
export function askedExtensions(policy: CompiledPolicy, request: PolicyRequest): readonly ExtensionSettings[] {
  const { extensions } = policy;
  if (extensions.length === 0) return extensions;
  const subject = toSubject(request, (path) => pathClasses(policy, path, request));
  return extensions.filter((extension) => matchesRequest(extension, subject));
}

/** A `pass` of each extension of the policy: for code that compares or explains policy files without running extensions. */
export function abstentions({ extensions }: CompiledPolicy): readonly ExtensionResult[] {
  return extensions.map(({ name }) => ({ kind: 'answered', name, action: 'pass' }));
}
