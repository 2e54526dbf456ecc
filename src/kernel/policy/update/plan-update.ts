import type { CompiledPolicy } from '../compiled-policy.ts';
import type { AuditedRequest } from './audited-request.ts';
import { comparePolicies } from './compare-policies.ts';
import type { PolicyChange } from './compare-policies.ts';

/** So many audited requests are replayed. */
export const REPLAYED_REQUESTS = 100;

/** So many records of the log are looked through for them: one call leaves several. */
export const LOOK_BACK_RECORDS = 2000;

/** From one more on, a yes is not enough. */
const BREAKING_WITHOUT_PHRASE = 5;

/** What a human is shown before a policy takes the place of another. `phrase` has to be typed word for word; null: a yes will do. */
export interface UpdatePlan {
  readonly changes: readonly PolicyChange[];
  readonly breaking: number;
  readonly phrase: string | null;
}

/** `requests`: the newest audited ones, at most `REPLAYED_REQUESTS`. */
export function planUpdate(
  current: CompiledPolicy,
  proposed: CompiledPolicy,
  requests: readonly AuditedRequest[],
): UpdatePlan {
  const changes = comparePolicies(current, proposed, requests.slice(0, REPLAYED_REQUESTS));
  const breaking = changes.filter((change) => change.breaking).length;
  const phrase = breaking > BREAKING_WITHOUT_PHRASE ? `accept ${breaking} breaking changes` : null;
  return { changes, breaking, phrase };
}

/** One line for each changed result. What it names has come from models and repositories: escape it before it is printed. */
export function describeChange({ request, before, after, breaking, times }: PolicyChange): string {
  const { syscall, path, host, state, mode } = request;
  const target = [path, host].filter((part) => part !== undefined && part !== '').join(' ');
  const often = times > 1 ? `, ${times} times` : '';
  return `${breaking ? '[BREAKING] ' : ''}${syscall}${target === '' ? '' : ` ${target}`} (${state}, ${mode}${often}): ${before} -> ${after}`;
}
