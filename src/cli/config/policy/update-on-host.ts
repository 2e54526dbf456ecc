import type { AuditEntry } from '../../../contracts/audit-entry.ts';
import {
  LOOK_BACK_RECORDS,
  REPLAYED_REQUESTS,
  auditedRequests,
  planUpdate,
  whyUpdateDenied,
} from '../../../kernel/policy/index.ts';
import { PROJECT_POLICY, readProjectPolicyText } from '../../../kernel/policy-source/read-policy-text.ts';
import { checkText } from './check-text.ts';
import { policyOf } from './policy-source.ts';
import type { PolicyBase, PolicyUpdater, Proposal } from './propose-update.ts';
import { signedHashes } from './trust-store.ts';

export interface HostUpdaterOptions {
  readonly installRoot: string;
  readonly projectRoot: string;
  readonly trustDirectory: string;
  /** The newest records of the audit log, newest first; empty if there is no log yet. */
  readonly recentAudit: (limit: number) => Promise<readonly AuditEntry[]>;
}

/**
 * Used if no kernel runs: the same checks and the same replay, on the host's copy of the log. The next start of the kernel records which policy it
 * found.
 */
export function updaterOnHost(options: HostUpdaterOptions): PolicyUpdater {
  return { propose: (base, text) => propose(options, base, text), close: () => undefined };
}

async function propose(options: HostUpdaterOptions, base: PolicyBase, text: string): Promise<Proposal> {
  const { installRoot, projectRoot } = options;
  const trustedHashes = await signedHashes(options.trustDirectory, projectRoot);
  const current = await policyOf({ kind: 'project', installRoot, projectRoot, trustedHashes });
  const checked = await checkText(options, text);
  if (checked.kind === 'invalid') return checked;

  const now = await readProjectPolicyText(projectRoot);
  if ((now.kind === 'text' ? now.text : null) !== (base?.text ?? null)) return changedMeanwhile();
  const before = current.kind === 'ok' ? current.policy : checked.shipped;
  const reasons = whyUpdateDenied(before);
  if (reasons !== null) return { kind: 'denied', reasons };
  if (current.kind === 'ok' && checked.policy.hash === before.hash) return { kind: 'unchanged' };
  const requests = (await options.recentAudit(LOOK_BACK_RECORDS)).flatMap(auditedRequests).slice(0, REPLAYED_REQUESTS);
  const { lines, breaking, phrase } = planUpdate(before, checked.policy, requests);
  return {
    kind: 'proposed',
    update: {
      warnings: checked.warnings,
      replayed: requests.length,
      breaking,
      changes: lines,
      phrase,
      approve: () => Promise.resolve({ kind: 'approved' }),
      reject: () => Promise.resolve(),
      takeUp: () => Promise.resolve('next-start'),
      gone: new Promise(() => undefined),
    },
  };
}

export function changedMeanwhile(): Extract<Proposal, { kind: 'conflict' }> {
  return { kind: 'conflict', why: `${PROJECT_POLICY} was changed meanwhile` };
}
