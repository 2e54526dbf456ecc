import type { DiscardOutcome, OverlayView } from '../../../contracts/ports/workspace.ts';
import { MAX_ATTEMPTS, hidesTheSame } from './overlay-operation.ts';
import type { OverlayContext } from './overlay-operation.ts';
import { plantView } from '../view/plant-view.ts';

/**
 * Runs one operation over an overlay of its own and keeps nothing, so that it needs no lock and what it leaves is not even looked at. It
 * counts only if nothing that should have been hidden from it appeared meanwhile.
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
