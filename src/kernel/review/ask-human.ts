import type { ToolError } from '../../contracts/tool-errors.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import { reviewDigest } from '../../lib/review-digest.ts';
import type { Session } from '../session/session.ts';
import { recordDecision } from './record-decision.ts';
import type { Services } from '../services.ts';

/** null when a human approved. Nobody there, or no: an error for the model. */
export async function askHuman(
  services: Services,
  session: Session,
  call: ParsedCall,
  paths: readonly string[],
  reasons: readonly string[],
  signal: AbortSignal,
): Promise<ToolError | null> {
  if (!session.snapshot.options.interactive) {
    session.update({ refused: { ...session.snapshot.refused, review: true } });
    return {
      code: 'review_required',
      message: `A human has to allow ${call.tool}, and nobody is there: ${reasons.join('; ')}`,
      retryable: false,
    };
  }
  const reviewId = services.random.id('r', 20);
  const shown = { session_id: session.id, base: '', message: call.tool, diff: JSON.stringify(call.input, null, 2) };
  session.emit({
    type: 'review.requested',
    review_id: reviewId,
    kind: 'policy',
    risk: 'high',
    reasons: [...reasons, ...paths],
    message: call.tool,
    diff: shown.diff,
    sha256: reviewDigest(shown),
  });
  const awaited = { reviewId, sessionId: session.id, sha256: reviewDigest(shown) };
  const decision = await services.humans.wait(awaited, signal);
  recordDecision(services, session, awaited, decision);
  const reason = decision.kind === 'reject' ? decision.reason : '';
  session.emit({
    type: 'review.decided',
    review_id: reviewId,
    decision: decision.kind === 'approve' ? 'approved' : 'rejected',
    by: 'human',
    ...(reason === '' ? {} : { reason }),
    ...(decision.kind === 'approve' ? { signature: decision.signature } : {}),
  });
  if (decision.kind === 'approve') return null;
  return { code: 'policy_denied', message: `The user said no: ${reason}`, retryable: false };
}
