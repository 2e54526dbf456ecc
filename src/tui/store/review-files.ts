import type { ViewState } from './view-state.ts';

/** Files of the waiting review. */
export function reviewFiles({ card }: Pick<ViewState, 'card'>): readonly string[] {
  return card?.shown.diff.files.map(({ path }) => path) ?? [];
}
