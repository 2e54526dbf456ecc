import type { DiscardOutcome, OverlayView } from '../../../contracts/ports/workspace.ts';
import { MAX_ATTEMPTS, hidesTheSame } from './overlay-operation.ts';
import type { OverlayContext } from './overlay-operation.ts';
import { plantView } from '../view/plant-view.ts';

/**
 * Runs one operation over its own overlay and keeps nothing. So it needs no lock, and its changes are not examined. It
 * counts only if no file appeared meanwhile that should have been hidden from it.
 */
export async function runDiscarding<T>(
  context: OverlayContext,
  run: (slot: number) => Promise<T>,
  view?: OverlayView,
): Promise<DiscardOutcome<T>> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const slot = await context.slots.lease();
    try {
      const plan = await context.planView(view);
      if (plan.kind === 'refused') return plan;
      slot.show(context.layers(view));
      plantView(slot.upper, plan.plants, context.staging.roots, context.whiteouts(slot));
      const value = await run(slot.number);
      if (await hidesTheSame(context, view, plan.hidden)) return { kind: 'completed', value, hidden: plan.hidden };
    } finally {
      slot.release();
    }
  }
  return { kind: 'moved', attempts: MAX_ATTEMPTS };
}
