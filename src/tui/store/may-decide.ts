import type { Composer } from '../composer/composer.ts';
import type { WaitingCard } from './view-state.ts';

/** The minimum time between two frames, in which nobody can have read what the last one showed. */
export const FRAME_MS = 33;

/** After a refusal: the time until the kept text counts as typed. A second, habitual Enter comes sooner. */
export const LOOK_AGAIN_MS = 300;

export type MayDecide =
  | { readonly kind: 'yes'; readonly card: WaitingCard }
  | { readonly kind: 'nothing-waits' }
  | { readonly kind: 'deciding' }
  /** The card is not on the screen, or appeared only just now. */
  | { readonly kind: 'too-early' }
  /** The command was begun before the card was on the screen, so it can't have been meant for it. */
  | { readonly kind: 'typed-before' };

/** Whether the typed text may decide the waiting review. Keys pressed before its card was drawn never do. Pure. */
export function mayDecide(card: WaitingCard | null, composer: Pick<Composer, 'sinceMs'>, nowMs: number): MayDecide {
  if (card === null) return { kind: 'nothing-waits' };
  if (card.deciding) return { kind: 'deciding' };
  if (card.drawnAtMs === null || nowMs - card.drawnAtMs < FRAME_MS) return { kind: 'too-early' };
  if (composer.sinceMs === null || composer.sinceMs <= card.drawnAtMs) return { kind: 'typed-before' };
  if (composer.sinceMs > nowMs) return { kind: 'too-early' };
  return { kind: 'yes', card };
}
