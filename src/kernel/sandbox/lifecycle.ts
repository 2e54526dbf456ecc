import { assertNever } from '../../lib/assert-never.ts';

export type LifecycleState = 'creating' | 'running' | 'failed' | 'stopping' | 'cleanup' | 'destroyed';

export type LifecycleEvent =
  /** Created, started, inspected and, if it has a socket, past its handshake. */
  | 'ready'
  /** Completed its task, or is no longer needed. */
  | 'finished'
  /** Could not be created, exceeded time or memory, crashed, or broke the protocol. */
  | 'broke'
  | 'stopped'
  | 'clean-up'
  | 'cleaned';

/**
 * The states of a sandbox. Clean-up follows in every case and may be requested again at any time: it is idempotent, so
 * it changes nothing for a sandbox that is being cleaned up or is gone. null: the event cannot happen in that state.
 */
export function transition(state: LifecycleState, event: LifecycleEvent): LifecycleState | null {
  switch (state) {
    case 'creating':
      if (event === 'ready') return 'running';
      return event === 'broke' ? 'failed' : null;
    case 'running':
      if (event === 'finished') return 'stopping';
      return event === 'broke' ? 'failed' : null;
    case 'stopping':
      if (event === 'stopped') return 'cleanup';
      return event === 'broke' ? 'failed' : null;
    case 'failed':
      return event === 'clean-up' ? 'cleanup' : null;
    case 'cleanup':
      if (event === 'cleaned') return 'destroyed';
      return event === 'clean-up' ? 'cleanup' : null;
    case 'destroyed':
      return event === 'clean-up' || event === 'cleaned' ? 'destroyed' : null;
    default:
      return assertNever(state);
  }
}
