import type { AttestAnswer, AttestRequest, EvidenceDecision } from '../../contracts/review/evidence.ts';
import type { Sha256 } from '../../contracts/ids.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { sealEnvelope } from '../../lib/evidence/dsse.ts';
import { decisionProblems, factsProblems } from '../../lib/evidence/facts-problems.ts';
import { encodeStatement } from '../../lib/evidence/statement.ts';
import { verifyApproval } from '../../lib/review-digest.ts';
import type { AnchorResult } from './anchor-file.ts';
import type { SigningKey } from './signing-key.ts';

export interface AttestServices {
  readonly key: () => Promise<SigningKey>;
  /** Base64 of the user's own approval key: only approvals by this user are attested here. */
  readonly approver: () => Promise<string>;
  /** Signs the head of the project's audit log; never goes back. */
  readonly anchor: (head: AttestRequest['audit']) => Promise<AnchorResult>;
  readonly nowMs: () => number;
}

/**
 * Signs that a kernel reported this about a commit to this host, with the head that its audit log had at that time. The caller may be hostile, so the
 * host itself checks three things: a person's approval is by this user's key, the log has not gone back, and the facts are consistent. It has not
 * seen the tests run. The signed bytes are composed here and never taken from the caller.
 */
export async function attestCommit(request: AttestRequest, services: AttestServices): Promise<AttestAnswer> {
  const { commit, facts, decision } = request;
  const problems = [...factsProblems(facts), ...decisionProblems(facts, decision)];
  if (problems.length > 0) return refused(problems.join('; '));
  if (!(await isOwnDecision(decision, services))) {
    return refused('the approval is not by the approval key of this user, or not over this review');
  }
  const anchored = await services.anchor(request.audit);
  switch (anchored.kind) {
    case 'refused':
      return refused(`the audit log: ${anchored.reason}`);
    case 'anchored':
    case 'unchanged': {
      const { project, entries, head } = anchored.anchor;
      const signed = { project, entries, head: head as Sha256, signed_ms: services.nowMs() };
      const statement = encodeStatement(commit, { facts, decision, anchored: signed });
      return { kind: 'attested', envelope: sealEnvelope(statement, await services.key()) };
    }
    default:
      return assertNever(anchored);
  }
}

async function isOwnDecision(decision: EvidenceDecision, services: AttestServices): Promise<boolean> {
  if (decision.by === 'policy') return true;
  if (decision.public_key !== (await services.approver())) return false;
  return verifyApproval(decision.public_key, decision.sha256, decision.signature);
}

function refused(reason: string): AttestAnswer {
  return { kind: 'refused', reason };
}
