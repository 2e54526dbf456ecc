import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import { withModel } from '../../contracts/model/model-choice.ts';
import type { Session } from './session.ts';

/** The model of the next request: the chosen one, or its stand-in. */
export function modelInUse({ snapshot }: Pick<Session, 'snapshot'>): ModelChoice {
  return snapshot.stand_in ?? snapshot.options;
}

/** Sets the user's model, from the next request on. */
export function chooseModel(session: Session, choice: ModelChoice): void {
  const { options, outages } = session.snapshot;
  const from = modelInUse(session).model;
  session.update({
    options: withModel(options, choice),
    stand_in: null,
    outages: outages.filter(({ model }) => model !== choice.model),
  });
  report(session, from, 'user');
}

/** Uses another model in place of the chosen one; null: the chosen one again. */
export function standIn(session: Session, choice: ModelChoice | null): void {
  if (choice === null && session.snapshot.stand_in === null) return;
  const from = modelInUse(session).model;
  session.update({ stand_in: choice });
  report(session, from, 'fallback');
}

/** Time during which a failed model is not asked as long as another can answer. */
export const LEFT_ALONE_MS = 5 * 60_000;

/** After a failure, moves a model behind the others for `LEFT_ALONE_MS`. */
export function leaveAlone(session: Session, model: string, nowMs: number): void {
  const others = session.snapshot.outages.filter((each) => each.model !== model);
  session.update({ outages: [...others, { model, until_ms: nowMs + LEFT_ALONE_MS }] });
}

/**
 * Whether the model failed a short time ago. An end that lies further in the future was written before the clock was
 * set back, and does not count.
 */
export function isLeftAlone({ snapshot }: Pick<Session, 'snapshot'>, model: string, nowMs: number): boolean {
  return snapshot.outages.some(
    (each) => each.model === model && each.until_ms > nowMs && each.until_ms <= nowMs + LEFT_ALONE_MS,
  );
}

function report(session: Session, from: string, by: 'user' | 'fallback'): void {
  const { model: to, effort } = modelInUse(session);
  const { context } = session.snapshot;
  // What was learned about one model's window does not apply to another.
  if (context !== null && context.window_tokens !== null && from !== to) {
    session.update({ context: { ...context, window_tokens: null } });
  }
  session.emit({ type: 'model.changed', from, to, by, ...(effort === undefined ? {} : { effort }) });
}
