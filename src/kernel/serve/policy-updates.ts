import { createHash } from 'node:crypto';
import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { Random } from '../../contracts/ports/random.ts';
import type { RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import { verifyApproval } from '../../lib/review-digest.ts';
import type { OpenedPolicy, ProjectText } from '../policy-source/open-policy.ts';
import type { TriedPolicy } from '../policy-source/policy-in-force.ts';
import {
  LOOK_BACK_RECORDS,
  REPLAYED_REQUESTS,
  auditedRequests,
  planUpdate,
  policyReview,
  whyUpdateDenied,
} from '../policy/index.ts';
import type { PolicyHolder, PolicyReview } from '../policy/index.ts';
import { approvalInvalid, reviewNotFound } from './session-refusals.ts';

export interface PolicyUpdatesParts {
  readonly holder: PolicyHolder;
  /** Changes when the files may have changed. */
  readonly stamp: () => Promise<string>;
  /** The policy of the current files. Rejects with FluffyError `policy_invalid` if they are invalid. */
  readonly open: () => Promise<OpenedPolicy>;
  /** The project's policy file, unchecked. */
  readonly readText: () => Promise<ProjectText | null>;
  /** The policy that would result from signing this text. */
  readonly tryText: (text: string) => Promise<TriedPolicy>;
  readonly audit: AuditLog;
  readonly random: Random;
  /** Called after another policy has come into force. */
  readonly onReplaced: (change: { readonly from: string; readonly to: string; readonly by: 'human' | 'file' }) => void;
}

/** A proposal that waits for a decision. `owner` is the connection that made it; only that connection can decide it. */
interface Pending {
  readonly owner: object;
  readonly reviewId: string;
  readonly review: PolicyReview;
  readonly phrase: string | null;
  readonly textSha256: string;
  readonly inForce: { readonly before: string; readonly after: string };
}

const PROJECT_FILE = '.fluffy/policy.yaml';

/**
 * The syscall `policy.update`, from proposal to the policy in force. The kernel checks, replays, records and applies the new policy; it never writes
 * the file, and only the host knows which text is signed. Only CLI connections can call it, no tool.
 */
export class PolicyUpdates {
  readonly #parts: PolicyUpdatesParts;
  readonly #pending = new Map<string, Pending>();
  /** Approved, but not yet written to the file: until then, or until its connection ends, nothing else is approved. */
  #approved: (Pending & { readonly publicKey: string }) | null = null;
  /** The stamp of the files when they were last read completely. */
  #seen: string | null = null;
  /** One reload at a time: otherwise an older policy could come into force last. */
  #looking: Promise<unknown> = Promise.resolve();

  constructor(parts: PolicyUpdatesParts) {
    this.#parts = parts;
  }

  /** In memory only: nothing is written, and the policy in force is unchanged. A second proposal of a connection replaces its first. */
  async propose(
    { base, text }: RequestParams<'policy.update'>,
    owner: object,
  ): Promise<RequestResult<'policy.update'>> {
    const { holder, audit, random } = this.#parts;
    const refused = whyUpdateDenied(holder.current());
    if (refused !== null) {
      audit.append(entry({ policy_decision: 'denied', deny_reason: refused.join('; ') }));
      return { kind: 'denied', reasons: [...refused] };
    }
    const tried = await this.#parts.tryText(text);
    if (tried.kind === 'invalid') return { ...tried, errors: [...tried.errors], warnings: [...tried.warnings] };
    const project = await this.#parts.readText();
    if ((project?.sha256 ?? null) !== base) return conflict();
    const textSha256 = createHash('sha256').update(text, 'utf8').digest('hex');
    const current = holder.current();
    if (current.hash === tried.policy.hash && textSha256 === base) return { kind: 'unchanged' };

    const requests = audit.recent(LOOK_BACK_RECORDS).flatMap(auditedRequests).slice(0, REPLAYED_REQUESTS);
    const plan = planUpdate(current, tried.policy, requests);
    const inForce = { before: current.hash, after: tried.policy.hash };
    const review = policyReview({
      file: PROJECT_FILE,
      before: project,
      after: { text, sha256: textSha256 },
      inForce,
      plan,
      replayed: requests.length,
    });
    const reviewId = random.id('r', 20);
    audit.append({
      ...entry({ policy_decision: 'review_required', policy_rule_name: 'review-policy-update' }),
      event_type: 'review_requested',
      metadata: { review_id: reviewId, kind: 'policy', sha256: review.sha256, ...hashesOf(inForce) },
    });
    this.withdraw(owner);
    this.#pending.set(reviewId, { owner, reviewId, review, phrase: plan.phrase, textSha256, inForce });
    return {
      kind: 'proposed',
      warnings: [...tried.warnings],
      review: { ...review, review_id: reviewId },
      replayed: requests.length,
      breaking: plan.breaking,
      changes: review.message
        .split('\n')
        .slice(4)
        .map((line) => line.trim()),
      phrase: plan.phrase,
    };
  }

  /** Recorded in the audit log before the reply. Throws FluffyError `review_not_found`, `approval_invalid`; the proposal then stays pending. */
  async decide(
    { review_id, decision }: RequestParams<'policy.decide'>,
    owner: object,
  ): Promise<RequestResult<'policy.decide'>> {
    const pending = this.#pending.get(review_id);
    if (pending?.owner !== owner) throw reviewNotFound(review_id);
    if (decision.kind === 'reject') {
      this.#pending.delete(review_id);
      this.#record(pending, { policy_decision: 'denied', deny_reason: decision.reason });
      return { kind: 'rejected' };
    }
    const { sha256, signature, public_key, phrase } = decision;
    if (sha256 !== pending.review.sha256 || !verifyApproval(public_key, sha256, signature)) throw approvalInvalid();
    if (pending.phrase !== null && phrase !== pending.phrase)
      throw approvalInvalid('The phrase it asks for is not there');

    const project = await this.#parts.readText();
    // Two concurrent decisions may both get here. There is no await from here on, so only the first one finds the proposal.
    if (!this.#pending.delete(review_id)) throw reviewNotFound(review_id);
    const inForce = this.#parts.holder.current().hash;
    const moved = inForce !== pending.inForce.before || (project?.sha256 ?? 'none') !== pending.review.base;
    if (moved || this.#approved !== null) {
      const { why } = conflict();
      this.#record(pending, { policy_decision: 'denied', deny_reason: why });
      return { kind: 'conflict', why };
    }
    this.#record(pending, { policy_decision: 'allowed', output_summary: 'approved' }, { signature, public_key });
    this.#approved = { ...pending, publicKey: public_key };
    return { kind: 'approved' };
  }

  /**
   * Reads the files and applies their policy from now on; requests in progress finish under the policy that they started with. Throws FluffyError
   * `policy_invalid`; the policy is then unchanged.
   */
  reload(reviewId: string | null): Promise<RequestResult<'policy.reload'>> {
    const look = this.#looking
      .then(() => this.#look())
      .finally(() => {
        if (reviewId !== null && this.#approved?.reviewId === reviewId) this.#approved = null;
      });
    this.#looking = look.catch(() => undefined);
    return look;
  }

  /** Drops the proposals of a closed connection. A file that it had already written is found at the next reload. */
  withdraw(owner: object): void {
    for (const [id, pending] of this.#pending) if (pending.owner === owner) this.#pending.delete(id);
    if (this.#approved?.owner === owner) this.#approved = null;
  }

  async #look(): Promise<RequestResult<'policy.reload'>> {
    const { holder, onReplaced } = this.#parts;
    const from = holder.current().hash;
    const stamp = await this.#parts.stamp();
    if (stamp === this.#seen) return { replaced: false, old_hash: from, new_hash: from };
    const { policy, project } = await this.#parts.open();
    // If the files changed meanwhile, they are read again next time: the stamp may not match what was read.
    this.#seen = (await this.#parts.stamp()) === stamp ? stamp : null;
    const to = policy.hash;
    if (from === to) return { replaced: false, old_hash: from, new_hash: to };
    const approved = this.#approved?.textSha256 === project?.sha256 ? this.#approved : null;
    const by = approved === null ? 'file' : 'human';
    this.#parts.audit.append(
      entry({
        caller: by === 'human' ? 'user' : 'kernel',
        output_summary: by === 'human' ? 'in force' : 'in force: found in the file',
        metadata: {
          by,
          ...hashesOf({ before: from, after: to }),
          text: project?.sha256 ?? 'none',
          ...(approved === null ? {} : { review_id: approved.reviewId, public_key: approved.publicKey }),
        },
      }),
    );
    holder.replace(policy);
    onReplaced({ from, to, by });
    return { replaced: true, old_hash: from, new_hash: to };
  }

  #record(pending: Pending, details: Partial<AuditInput>, metadata: Readonly<Record<string, string>> = {}): void {
    const { reviewId, review, inForce, textSha256 } = pending;
    this.#parts.audit.append(
      entry({
        ...details,
        metadata: {
          review_id: reviewId,
          sha256: review.sha256,
          base: review.base,
          text: textSha256,
          ...hashesOf(inForce),
          ...metadata,
        },
      }),
    );
  }
}

function entry(details: Partial<AuditInput>): AuditInput {
  return {
    event_type: 'policy_update',
    syscall_type: 'policy.update',
    caller: 'user',
    session_mode: 'strict',
    state_machine_state: 'idle',
    policy_decision: 'allowed',
    input_summary: PROJECT_FILE,
    ...details,
  };
}

const hashesOf = ({ before, after }: Pending['inForce']) => ({ old_policy: before, new_policy: after });

function conflict() {
  return {
    kind: 'conflict' as const,
    why: `${PROJECT_FILE} has changed since this change began: another process has changed it, or is changing it`,
  };
}
