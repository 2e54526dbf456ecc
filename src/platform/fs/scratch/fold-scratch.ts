import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import { withDescriptors } from '../descriptors.ts';
import { viewLayers } from '../union/layer-view.ts';
import { planFold } from './plan-fold.ts';
import type { ScratchDirectory } from './scan-scratch.ts';
import type { StageFileOutcome, StagingContext } from '../staging/stage-file.ts';
import { originalBytes } from '../staging/stage-file.ts';
import { beginJournal, finishJournal } from '../staging/staging-journal.ts';
import { syncContents } from '../staging/sync-contents.ts';
import { locate } from '../union/union-walk.ts';

export interface FoldSource {
  readonly slot: number;
  readonly upper: number;
  readonly root: ScratchDirectory;
  readonly changes: ChangeSet;
  readonly unfit: ReadonlySet<string>;
}

/**
 * Moves the accepted part of a scratch into the staging layer. Durable and complete: after a crash it is finished at
 * the next start.
 */
export async function foldScratch(
  context: StagingContext,
  source: FoldSource,
  accepted: ReadonlySet<string>,
): Promise<StageFileOutcome> {
  const plan = planFold({
    root: source.root,
    changes: source.changes,
    unfit: source.unfit,
    accepted,
    view: viewLayers(context.roots, context.directories.layer),
    token: () => context.random.id('out'),
  });
  if (plan.kind === 'refused') return plan;
  const changes = source.changes.filter((change) => accepted.has(change.path));
  const linked = changes.find((change) => change.after.kind !== 'absent' && hasOtherLinks(context, change.path));
  if (linked !== undefined) return { kind: 'refused', reason: `"${linked.path}" has other hard links` };

  await context.originals.record(
    changes.map(({ path, before }) => ({
      original: { path, state: before },
      bytes: () => originalBytes(context, path, before),
    })),
  );
  // The sandbox did not sync its files.
  const placed = plan.steps.flatMap((step) => (step.kind === 'place' ? [step.source] : []));
  await syncContents(source.upper, placed);
  const journal = { source: { kind: 'slot' as const, slot: source.slot }, steps: [...plan.steps], reset: false };
  beginJournal(context.directories, journal);
  finishJournal(context.directories, journal, source.upper, context.roots.marks);
  return { kind: 'staged' };
}

function hasOtherLinks(context: StagingContext, path: string): boolean {
  return withDescriptors((descriptors) => {
    const found = locate(descriptors, context.roots, path, 'exact');
    return found.kind === 'file' && found.layer === 'project' && found.stat.nlink > 1;
  });
}
