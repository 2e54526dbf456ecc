import { CORE_TAGS } from '../../contracts/policy.ts';
import type { SessionMode } from '../../contracts/session/workflow-states.ts';
import { askPolicy } from '../access/ask-policy.ts';
import { IN_KERNEL, heldTo } from '../policy/index.ts';
import { record } from '../record/audit-trail.ts';
import { recordDecision } from '../review/record-decision.ts';
import { reviewDigest } from '../../lib/review-digest.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';

async function ask(services: Services, mode: SessionMode, state: Session['state']) {
  const request = { syscall: 'session.set_mode', state, mode, tags: CORE_TAGS };
  return heldTo(await askPolicy(services, request), IN_KERNEL);
}

/** The mode of a new session: the requested one if policy allows it without a review, else strict. */
export async function modeAtStart(
  services: Services,
  wanted: SessionMode,
): Promise<{ readonly mode: SessionMode; readonly refused: string | null }> {
  const decision = await ask(services, wanted, 'idle');
  if (wanted === 'strict' || decision.decision === 'allow') return { mode: wanted, refused: null };
  return { mode: 'strict', refused: decision.reasons.join('; ') };
}

/** Switches the mode of an idle session. If policy requires a review, the mode changes after the approval. */
export async function changeMode(
  services: Services,
  session: Session,
  mode: SessionMode,
): Promise<{ ok: boolean; reason: string }> {
  if (session.state !== 'idle')
    return { ok: false, reason: `A task is under way (state ${session.state}). Finish or reset it first.` };
  if (session.mode === mode) return { ok: true, reason: `The mode is ${mode} already.` };
  const decision = await ask(services, mode, session.state);
  if (session.state !== 'idle') return { ok: false, reason: 'A task has started in the meantime.' };
  switch (decision.decision) {
    case 'allow':
      enter(services, session, mode, 'policy');
      return { ok: true, reason: `The mode is ${mode} now.` };
    case 'deny':
      record(services, session, 'session_mode_change', {
        policy_decision: 'denied',
        deny_reason: decision.reasons.join('; '),
        input_summary: mode,
      });
      return { ok: false, reason: decision.reasons.join('; ') };
    case 'require_review':
      waitForHuman(services, session, mode, decision.reasons);
      return { ok: false, reason: `Mode ${mode} needs your approval.` };
  }
}

function enter(services: Services, session: Session, mode: SessionMode, by: 'policy' | 'human'): void {
  const from = session.mode;
  record(services, session, 'session_mode_change', {
    input_summary: `${from} -> ${mode}`,
    caller: by === 'human' ? 'user' : 'kernel',
  });
  session.updateRow({ mode });
  session.emit({ type: 'mode.changed', from, to: mode, by });
}

function waitForHuman(services: Services, session: Session, mode: SessionMode, reasons: readonly string[]): void {
  const reviewId = services.random.id('r', 20);
  const shown = { session_id: session.id, base: '', message: `session.set_mode ${mode}`, diff: '' };
  session.emit({
    type: 'review.requested',
    review_id: reviewId,
    kind: 'mode',
    risk: 'high',
    reasons: [...reasons],
    message: shown.message,
    diff: '',
    sha256: reviewDigest(shown),
  });
  const neverAborted = new AbortController().signal;
  const awaited = { reviewId, sessionId: session.id, sha256: reviewDigest(shown) };
  void services.humans.wait(awaited, neverAborted).then((decision) => {
    const approved = decision.kind === 'approve' && session.state === 'idle';
    recordDecision(services, session, awaited, decision);
    session.emit({
      type: 'review.decided',
      review_id: reviewId,
      decision: approved ? 'approved' : 'rejected',
      by: 'human',
    });
    if (approved) enter(services, session, mode, 'human');
  });
}
