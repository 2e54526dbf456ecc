import type { CompiledPolicy } from '../compiled-policy.ts';
import type { AuditedRequest } from './audited-request.ts';
import { comparePolicies } from './compare-policies.ts';
import type { PolicyChange } from './compare-policies.ts';
import { policyLosses } from './policy-losses.ts';
import { PROBES } from './probes.ts';
import type { PolicyVerdict } from '../../../contracts/policy.ts';

/** Number of audited requests to replay. */
export const REPLAYED_REQUESTS = 100;

/** Number of log records to search for them: one call leaves several records. */
export const LOOK_BACK_RECORDS = 2000;

/** With more breaking changes than this, a yes is not enough. */
const BREAKING_WITHOUT_PHRASE = 5;

/** What a person sees before a policy is replaced. `phrase` must be typed word for word; null: a yes is enough. */
export interface UpdatePlan {
  readonly changes: readonly PolicyChange[];
  readonly breaking: number;
  /** Number of replayed requests and probes that were denied and would be allowed. */
  readonly opened: number;
  readonly phrase: string | null;
  /** The full comparison, a line each: losses, wider answers, other different answers. */
  readonly lines: readonly string[];
}

/** `requests`: the newest audited ones, at most `REPLAYED_REQUESTS`. */
export function planUpdate(
  current: CompiledPolicy,
  proposed: CompiledPolicy,
  requests: readonly AuditedRequest[],
): UpdatePlan {
  const changes = comparePolicies(current, proposed, requests.slice(0, REPLAYED_REQUESTS));
  const wider = comparePolicies(current, proposed, PROBES).filter(isWider);
  const breaking = changes.filter((change) => change.breaking).length;
  const opened = [...wider, ...changes].filter(({ before, after }) => before === 'deny' && after === 'allow').length;
  const lines = [
    ...policyLosses(current, proposed),
    ...wider.map((change) => `[WIDER] ${describeChange(change)}`),
    ...changes.map(describeChange),
  ];
  return { changes, breaking, opened, phrase: phraseFor(breaking, opened), lines };
}

const STRICTNESS: Readonly<Record<PolicyVerdict, number>> = { deny: 0, require_review: 1, allow: 2 };

function isWider({ before, after }: PolicyChange): boolean {
  return STRICTNESS[after] > STRICTNESS[before];
}

function phraseFor(breaking: number, opened: number): string | null {
  const parts = [
    ...(breaking > BREAKING_WITHOUT_PHRASE ? [`accept ${breaking} breaking changes`] : []),
    ...(opened > 0 ? [`allow ${opened} denied requests`] : []),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}

/** One line for each changed result. Its names come from models and repositories: escape it before it is printed. */
export function describeChange({ request, before, after, breaking, times }: PolicyChange): string {
  const { syscall, path, host, state, mode } = request;
  const target = [path, host].filter((part) => part !== undefined && part !== '').join(' ');
  const often = times > 1 ? `, ${times} times` : '';
  return `${breaking ? '[BREAKING] ' : ''}${syscall}${target === '' ? '' : ` ${target}`} (${state}, ${mode}${often}): ${before} -> ${after}`;
}
