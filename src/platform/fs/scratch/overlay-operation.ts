import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { OverlayOutcome, OverlayView, StageOutcome } from '../../../contracts/ports/workspace.ts';
import type { LayerId } from '../../../contracts/sandbox/package-managers.ts';
import { compareScratch } from './compare-scratch.ts';
import { foldScratch } from './fold-scratch.ts';
import type { ProjectStamps, TakeStamp } from '../project-stamps.ts';
import type { IgnoreView } from '../ignore/ignore-view.ts';
import type { Mutex } from '../mutex.ts';
import { readScratchFile, scratchFiles } from './read-scratch.ts';
import type { ScratchDirectory, ScratchLimits } from './scan-scratch.ts';
import { scanScratch } from './scan-scratch.ts';
import type { Slot, SlotPool } from '../slots.ts';
import type { StagingContext } from '../staging/stage-file.ts';
import type { ViewPlan } from '../view/plan-view.ts';
import { plantView, unplantView } from '../view/plant-view.ts';
import type { MakeWhiteout } from '../view/whiteout.ts';

/** The first attempt and two more. */
export const MAX_ATTEMPTS = 3;

export interface OverlayContext {
  readonly staging: StagingContext;
  readonly slots: SlotPool;
  readonly limits: ScratchLimits;
  readonly lock: Mutex;
  readonly stamps: ProjectStamps;
  readonly takeStamp: TakeStamp;
  readonly ignoreView: () => IgnoreView;
  readonly planView: (view: OverlayView | undefined) => Promise<ViewPlan>;
  /** Installed packages of the lockfiles that the view shows. */
  readonly layers: (view: OverlayView | undefined) => readonly LayerId[];
  readonly whiteouts: (slot: Slot) => MakeWhiteout;
  /**
   * Functions that end the operations that were neither accepted nor discarded yet; called when the workspace closes.
   */
  readonly unsettled: Set<() => void>;
  /** Called after staging has changed; returns its new generation. */
  readonly bumpGeneration: () => number;
}

/**
 * Runs one operation over an overlay, alone: the lock is held until the outcome is accepted or discarded. A mounted
 * overlay does not show a person's concurrent edits reliably, so a run during which the project changed is void and
 * repeated. `run` must not return before the sandbox is gone, because the files that are read back must not change any
 * more.
 */
export async function runOverlay<T>(
  context: OverlayContext,
  run: (slot: number) => Promise<T>,
  view?: OverlayView,
): Promise<OverlayOutcome<T>> {
  const unlock = await context.lock.acquire();
  let lent = false;
  try {
    const outcome = await attemptUntilStill(context, run, view);
    if (outcome.kind !== 'kept') return outcome;
    lent = true;
    return offer(context, outcome, () => {
      outcome.slot.release();
      unlock();
    });
  } finally {
    if (!lent) unlock();
  }
}

interface KeptScratch<T> {
  readonly kind: 'kept';
  readonly value: T;
  readonly slot: Slot;
  readonly root: ScratchDirectory;
  readonly changes: ChangeSet;
  readonly unfit: ReadonlySet<string>;
  readonly hidden: readonly string[];
}

type Attempt<T> = KeptScratch<T> | { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'void' };

async function attemptUntilStill<T>(
  context: OverlayContext,
  run: (slot: number) => Promise<T>,
  view: OverlayView | undefined,
): Promise<KeptScratch<T> | Extract<OverlayOutcome<T>, { kind: 'moved' | 'refused' }>> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const slot = await context.slots.lease();
    let kept = false;
    try {
      const outcome = await attemptOnce(context, slot, run, view);
      kept = outcome.kind === 'kept';
      if (outcome.kind !== 'void') return outcome;
    } finally {
      if (!kept) slot.release();
    }
  }
  return { kind: 'moved', attempts: MAX_ATTEMPTS };
}

async function attemptOnce<T>(
  context: OverlayContext,
  slot: Slot,
  run: (slot: number) => Promise<T>,
  view: OverlayView | undefined,
): Promise<Attempt<T>> {
  const { roots } = context.staging;
  const before = await context.stamps.before(context.takeStamp);
  const plan = await context.planView(view);
  if (plan.kind === 'refused') return plan;
  slot.show(context.layers(view));
  const planted = plantView(slot.upper, plan.plants, roots, context.whiteouts(slot));
  const value = await run(slot.number);
  await unplantView(slot.upper, planted);
  const after = await context.stamps.after(context.takeStamp);
  if (after !== before || !(await hidesTheSame(context, view, plan.hidden))) return { kind: 'void' };

  const scan = await scanScratch(slot.upper, roots.marks, context.limits);
  if (scan.kind === 'refused') return scan;
  const compared = await compareScratch(scan.root, {
    roots,
    isIgnored: context.ignoreView().isIgnored,
    maxEntries: context.limits.maxEntries,
  });
  if (compared.kind === 'refused') return compared;
  return {
    kind: 'kept',
    value,
    slot,
    root: scan.root,
    changes: compared.changes,
    unfit: compared.unfit,
    hidden: plan.hidden,
  };
}

/**
 * Whether the view still hides all that it should: the sandbox may know a file that was created during its run, because
 * stamps do not cover ignored files.
 */
export async function hidesTheSame(
  context: Pick<OverlayContext, 'planView'>,
  view: OverlayView | undefined,
  hidden: readonly string[],
): Promise<boolean> {
  if (view?.visible === undefined) return true;
  const now = await context.planView({ visible: view.visible });
  return now.kind === 'planned' && now.hidden.join('\0') === hidden.join('\0');
}

/** What the caller may do with a scratch, once: accept some of it, or nothing. */
function offer<T>(context: OverlayContext, kept: KeptScratch<T>, end: () => void): OverlayOutcome<T> {
  const { slot, root, changes, unfit, value } = kept;
  let state: 'open' | 'accepting' | 'over' = 'open';
  const finish = (): void => {
    state = 'over';
    context.unsettled.delete(discard);
    end();
  };
  const discard = (): void => {
    if (state === 'open') finish();
  };
  context.unsettled.add(discard);

  const accept = async (paths: ReadonlySet<string>): Promise<StageOutcome> => {
    if (state !== 'open') return { kind: 'refused', reason: 'this operation is over' };
    state = 'accepting';
    try {
      const source = { slot: slot.number, upper: slot.upper, root, changes, unfit };
      const outcome = await foldScratch(context.staging, source, paths);
      return outcome.kind === 'staged' ? { kind: 'staged', generation: context.bumpGeneration() } : outcome;
    } finally {
      finish();
    }
  };

  return {
    kind: 'completed',
    value,
    changes,
    hidden: kept.hidden,
    accept,
    read: async (path) => (state === 'over' ? null : readScratchFile(slot.upper, path)),
    scratchFiles: (prefix) => (state === 'over' ? [] : scratchFiles(root, prefix)),
    discard: async () => discard(),
  };
}
