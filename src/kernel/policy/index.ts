/**
 * The policy engine. No I/O, clock or randomness: everything is passed in as an argument.
 *
 *   loadPolicy(text, file)                 -> a compiled policy with warnings, or errors with file:line:column
 *   combinePolicies(shipped, project, …)   -> the policy of a project with a policy of its own
 *   lexicalTarget(sent, projectRoot)       -> the path by its text alone; `call/resolve.ts` follows its links
 *   decide(policy, request, context)       -> the decision, the rules that matched, the reasons, and the constraints of an allow
 *   heldTo(decision, facts)                -> the decision with more facts of the operation; `unmetConstraints` checks the facts at its end
 *   authorize(policy, store, …)            -> like decide, for a call that presents a capability; counts its use
 *   classifyPath(policy, path)             -> test, docs, source or other; sensitive or not
 *   pathsOutsideExemption(policy, category, paths)
 *
 * A request with several paths is decided for each path (`strictestDecision` combines the decisions).
 */
export { authorize } from './authorize.ts';
export type { AuthorizeContext } from './authorize.ts';
export { READ_SYSCALLS, builtinRules, exactPathGlob } from './builtin/builtin-rules.ts';
export { CapabilityStore } from './capabilities/capability-store.ts';
export type { Issued } from './capabilities/capability-store.ts';
export type { CapabilityClaim } from './capabilities/check-capability.ts';
export { classifyPath } from './classify-path.ts';
export type { PathClass } from './classify-path.ts';
export { combinePolicies } from './combine-policies.ts';
export type { CombinedPolicy } from './combine-policies.ts';
export { EXEMPTION_CATEGORIES } from './compiled-policy.ts';
export type { CompiledPolicy, ExemptionCategory, ExtensionSettings } from './compiled-policy.ts';
export { IN_KERNEL, heldTo, unmetConstraints } from './constraints.ts';
export type { ConstraintFacts } from './constraints.ts';
export { decide, needsExtensions } from './decide.ts';
export type { DecisionContext } from './decide.ts';
export { describePolicy } from './describe-policy.ts';
export { KNOWN_SYSCALLS, unknownSyscall } from './document/known-syscalls.ts';
export { loadPolicy } from './document/load-policy.ts';
export type { LoadedPolicy, LoadOptions } from './document/load-policy.ts';
export { abstentions, askedExtensions } from './extensions/asked-extensions.ts';
export { ExtensionRunner } from './extensions/extension-runner.ts';
export { withSources } from './extensions/with-sources.ts';
export type { ExtensionText } from './extensions/with-sources.ts';
export { pathsOutsideExemption } from './exemption-covers.ts';
export { GlobSet } from '../../lib/globs/glob-set.ts';
export { parseGlob } from '../../lib/globs/parse-glob.ts';
export { lexicalTarget } from './paths/lexical-target.ts';
export type { LexicalTarget, PathRefusal } from './paths/lexical-target.ts';
export { PolicyHolder } from './policy-holder.ts';
export { coversHost, parseHostPattern } from './rules/host-pattern.ts';
export type { HostPattern } from './rules/host-pattern.ts';
export { strictestDecision } from './strictest-decision.ts';
export { auditedRequests, requestMetadata } from './update/audited-request.ts';
export { comparePolicies } from './update/compare-policies.ts';
export type { PolicyChange } from './update/compare-policies.ts';
export { LOOK_BACK_RECORDS, REPLAYED_REQUESTS, describeChange, planUpdate } from './update/plan-update.ts';
export type { UpdatePlan } from './update/plan-update.ts';
export { POLICY_REVIEW, policyReview } from './update/policy-review.ts';
export type { PolicyReview, ProposedText } from './update/policy-review.ts';
export { whyUpdateDenied } from './update/update-denied.ts';
