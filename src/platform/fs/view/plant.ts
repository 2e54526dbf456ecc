import type { ViewEntry } from '../../../contracts/ports/workspace.ts';

/** One entry of an upper directory that is there before the sandbox is. */
export interface Plant {
  readonly path: string;
  readonly entry: { readonly kind: 'whiteout' } | Exclude<ViewEntry['entry'], { kind: 'absent' }>;
}
