import type { AttestRequest, DsseEnvelope } from '../../contracts/review/evidence.ts';
import type { Sha256 } from '../../contracts/ids.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { Attest } from '../../contracts/ports/host-services.ts';

const ATTEMPTS = 3;

/**
 * Has the host attest a decided commit, with the present head of the audit log. Another run may have had a newer head
 * signed meanwhile. Then the host takes our head for a log that has gone back, and the next attempt sends the newer
 * one. Rejects if the host does not attest the commit.
 */
export async function requestAttestation(
  attest: Attest,
  audit: Pick<AuditLog, 'head'>,
  commit: Omit<AttestRequest, 'audit'>,
): Promise<DsseEnvelope> {
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { entries, hash } = audit.head();
    const answer = await attest({ ...commit, audit: { entries, head: hash as Sha256 } });
    if (answer.kind === 'attested') return answer.envelope;
    reason = answer.reason;
  }
  throw new Error(`the host does not sign the evidence of this commit: ${reason}`);
}
