import type { RequestParams, RequestResult } from '../../../contracts/session/session-protocol.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { SessionKernel } from './session-kernel.ts';

/** Requests the end of the current run; undefined without a kernel or an answer. Never rejects. */
export async function endRun(
  store: ViewStore,
  kernel: SessionKernel | null,
  how: Omit<RequestParams<'session.interrupt'>, 'session_id'>,
): Promise<RequestResult<'session.interrupt'> | undefined> {
  const { sessionId } = store.current;
  if (kernel === null || sessionId === null) return undefined;
  store.dispatch({ kind: 'interrupting' });
  return kernel.request('session.interrupt', { ...how, session_id: sessionId }).catch(() => undefined);
}
