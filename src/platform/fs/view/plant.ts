import type { ViewEntry } from '../../../contracts/ports/workspace.ts';

/** One entry of an upper directory that exists before the sandbox starts. */
export interface Plant {
  readonly path: string;
  readonly entry: { readonly kind: 'whiteout' } | Exclude<ViewEntry['entry'], { kind: 'absent' }>;
}
