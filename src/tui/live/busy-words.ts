import type { SessionState } from '../../contracts/session/workflow-states.ts';
import { safeLine } from '../store/safe-text.ts';
import type { SafeText } from '../store/safe-text.ts';
import type { ViewState } from '../store/view-state.ts';

const BUSY: Readonly<Record<SessionState, string>> = {
  idle: 'getting ready',
  planning: 'thinking',
  test_writing: 'thinking',
  code_writing: 'thinking',
  validating: 'running the whole suite',
  reviewing: 'preparing the commit',
  committing: 'merging and committing',
  exploring: 'thinking',
  retroactive_testing: 'thinking',
};

/** The current activity without a row of its own; null if there is none. */
export function busyWords(view: ViewState): SafeText | null {
  if (view.kernel.kind !== 'ready') return view.kernel.step;
  if (view.card !== null) return view.card.deciding ? safeLine('carrying the decision out') : null;
  if (view.run.kind === 'idle') return null;
  if (view.run.interrupting) return safeLine('stopping');
  if (view.providerRow !== null) return view.providerRow;
  if (view.tools.length > 0 || view.stream.text !== '') return null;
  return safeLine(view.run.ending === true ? 'cleaning up' : BUSY[view.state]);
}

/** The view with the time since which it has the same activity. */
export function withBusy(view: ViewState, atMs: number): ViewState {
  const words = busyWords(view);
  if (words === (view.busy?.words ?? null)) return view;
  return { ...view, busy: words === null ? null : { words, sinceMs: atMs } };
}
