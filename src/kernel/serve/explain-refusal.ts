import { CORE_TAGS } from '../../contracts/policy.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import { SESSION_MODES, SESSION_STATES } from '../../contracts/session/workflow-states.ts';
import { abstentions, decide, heldTo } from '../policy/index.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import type { Refusal } from '../../contracts/model/refusal.ts';

/** The text of /why: what was refused, its target, every rule involved, and what would change it under the current policy. Pure. */
export function explainRefusal(refusal: Refusal, policy: CompiledPolicy): string {
  const { syscall, state, mode } = refusal;
  if (refusal.kind === 'other') {
    return [`${syscall} was refused (${refusal.code}) in state ${state}, mode ${mode}.`, '', refusal.message].join(
      '\n',
    );
  }
  const target = refusal.target === null ? '' : ` ${refusal.target === '' ? '(the project)' : refusal.target}`;
  const what = refusal.decision === 'deny' ? 'denied' : 'held for review by a human';
  return [
    `${syscall}${target} was ${what} in state ${state}, mode ${mode}.`,
    ...refusal.reasons.map((reason) => `  ${reason}`),
    '',
    refusal.rules.length === 0 ? 'No rule took part: what nothing allows is denied.' : 'Rules that took part:',
    ...refusal.rules.map(
      ({ name, layer, action, reason }) => `  ${action} ${name} (${layer})${reason === undefined ? '' : `: ${reason}`}`,
    ),
    '',
    'What would change it:',
    ...remedies(refusal, policy).map((remedy) => `  ${remedy}`),
    ...(refusal.policy === policy.hash ? [] : ['', 'The policy has changed since.']),
  ].join('\n');
}

type PolicyRefusal = Extract<Refusal, { kind: 'policy' }>;

function remedies(refusal: PolicyRefusal, policy: CompiledPolicy): string[] {
  const deciders = refusal.rules.filter(({ action }) => action === refusal.decision);
  const builtin = deciders.find(({ layer }) => layer === 'builtin');
  if (builtin !== undefined && refusal.decision === 'deny')
    return [`Nothing: ${builtin.name} is built in, and no policy lifts it.`];
  const found: string[] = [];
  const now = verdict(refusal, policy, {});
  if (now === 'allow') found.push('Nothing more: the current policy allows it. Let the model try again.');
  const elsewhere = otherwiseAllowed(refusal, policy);
  if (now !== 'allow' && elsewhere !== null) found.push(elsewhere);
  if (refusal.decision === 'require_review') found.push('Your approval of the call, in a session in the terminal.');
  const extensions = deciders.filter(({ layer }) => layer === 'extension').map(({ name }) => name);
  if (extensions.length > 0) found.push(`Another answer of ${extensions.join(', ')}, which the policy asks.`);
  const rules = deciders.filter(({ layer }) => layer === 'yaml').map(({ name }) => name);
  if (rules.length > 0) {
    found.push(
      `Change ${rules.join(', ')} with fluffy config policy edit. A rule with the same name replaces a shipped rule; action: pass removes it.`,
    );
  }
  if (deciders.length === 0) found.push('A rule that allows it: fluffy config policy edit.');
  return found;
}

type Place = Partial<Pick<PolicyRequest, 'state' | 'mode'>>;

/** Decided by the rules of the file alone: extensions count as `pass`. */
function verdict(refusal: PolicyRefusal, policy: CompiledPolicy, place: Place) {
  const { syscall, target, state, mode, plugin, tags = CORE_TAGS, effects, facts } = refusal;
  const extensionResults = abstentions(policy);
  const request: PolicyRequest = {
    syscall,
    ...(target === null ? {} : { path: target }),
    state,
    mode,
    tags,
    plugin,
    ...(effects === undefined ? {} : { effects }),
    ...(facts === undefined || facts.template === null ? {} : { template: facts.template }),
    ...place,
  };
  const decision = decide(policy, request, { nowMonotonicMs: 0, extensionResults });
  return (facts === undefined ? decision : heldTo(decision, facts)).decision;
}

/**
 * The other states of this mode, or else the other modes, in which the same call is allowed; null if there are none.
 */
function otherwiseAllowed(refusal: PolicyRefusal, policy: CompiledPolicy): string | null {
  const states = SESSION_STATES.filter((state) => verdict(refusal, policy, { state }) === 'allow');
  if (states.length > 0) return `Another state: it is allowed in ${states.join(', ')}.`;
  const modes = SESSION_MODES.filter((mode) =>
    SESSION_STATES.some((state) => verdict(refusal, policy, { mode, state }) === 'allow'),
  );
  return modes.length === 0 ? null : `Another mode: it is allowed in ${modes.join(', ')}.`;
}
