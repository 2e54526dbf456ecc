import type { ViewState } from '../store/view-state.ts';

/**
 * What the prompt shows as the present state. It is the state of the workflow, unless something else must end before a line is handled: a starting
 * kernel, a run without a state, a run that is being stopped, a command of the person.
 */
export function promptState({ kernel, run, state }: Pick<ViewState, 'kernel' | 'run' | 'state'>): string {
  if (kernel.kind === 'starting') return 'starting';
  if (kernel.kind === 'away') return 'restarting';
  if (run.kind === 'idle') return state;
  if (run.interrupting) return 'stopping';
  if (state !== 'idle') return state;
  if (run.command === true) return 'running';
  return run.ending === true ? 'ending' : 'starting';
}
