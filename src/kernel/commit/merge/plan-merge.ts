import type { ChangeSet, FileChange, FileState } from '../../../contracts/review/change-set.ts';
import type { ObjectId, SessionId } from '../../../contracts/ids.ts';
import type { MergePlan, MergeStep, MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { PreparedCommit } from '../../../contracts/ports/repository.ts';
import { formatSignature } from '../../../lib/git/commit.ts';
import { messageSubject } from '../commit-message.ts';

/** A ref that moves together with the branch. */
export interface AlsoMoved {
  readonly ref: string;
  readonly from: ObjectId | null;
  readonly to: ObjectId;
  readonly objects: Iterable<ObjectId>;
}

/**
 * All steps that turn a prepared commit into the project's next state, in their order. Nothing that a person sees
 * changes before `remove`. The branch moves only after every file is in place.
 */
export function planMerge(session: SessionId, prepared: PreparedCommit, also: readonly AlsoMoved[]): MergePlan {
  const { branchRef, parent, commit, changes, edits, message, committer } = prepared;
  const refs = [branchRef, ...also.map(({ ref }) => ref)];
  const blobs = new Map(edits.map(({ path, entry, file }) => [path, file ?? entry?.id]));
  const reflogLine = `${parent} ${commit} ${formatSignature(committer)}\tcommit: ${messageSubject(message)}\n`;
  const objects = new Set([...prepared.objects, ...also.flatMap((moved) => [...moved.objects])]);
  const steps: MergeStep[] = [
    { kind: 'lock', refs },
    { kind: 'check', branchRef, head: parent, changes, edits },
    { kind: 'back-up', changes, refs },
    { kind: 'add-objects', session, ids: [...objects] },
    ...fileSteps(session, changes, (path) => {
      const id = blobs.get(path);
      if (id === undefined) throw new Error(`${path} is not in the prepared commit`);
      return { kind: 'object', id };
    }),
    ...also.map(({ ref, from, to }): MergeStep => ({ kind: 'update-ref', ref, from, to })),
    { kind: 'update-ref', ref: branchRef, from: parent, to: commit },
    { kind: 'append-reflog', log: branchRef, line: reflogLine },
    { kind: 'append-reflog', log: 'HEAD', line: reflogLine },
    { kind: 'update-index', edits },
    { kind: 'write-message', text: message },
    { kind: 'unlock', refs },
  ];
  return { session, commit, parent, branchRef, undoes: null, steps };
}

/** The reverse of a merge. It is an operation of its own: checked, logged and revertible like any other. */
export function planUndo(
  merge: MergePlan,
  operation: string,
  at: { seconds: number; offsetMinutes: number },
): MergePlan {
  const { session, branchRef, parent, commit } = merge;
  const check = stepOf(merge, 'check');
  const line = reflogLine(merge, at, `${commit} ${parent}`, `undo: moving to ${parent}`);
  const changes = check.changes.map(({ path, before, after }): FileChange => ({ path, before: after, after: before }));
  const refs = [branchRef];
  // The check only needs to know which paths get an entry. The entries themselves come from the backup.
  const edits = changes.map(({ path, after }) => ({ path, entry: hasContent(after) ? { mode: 0, id: parent } : null }));
  const steps: MergeStep[] = [
    { kind: 'lock', refs },
    { kind: 'check', branchRef, head: commit, changes, edits },
    { kind: 'back-up', changes, refs },
    ...fileSteps(session, changes, () => ({ kind: 'backup', operation })),
    { kind: 'update-ref', ref: branchRef, from: commit, to: parent },
    { kind: 'append-reflog', log: branchRef, line },
    { kind: 'append-reflog', log: 'HEAD', line },
    { kind: 'restore-index', operation, edits: check.edits },
    { kind: 'restore-message', operation },
    { kind: 'unlock', refs },
  ];
  return { session, commit, parent, branchRef, undoes: operation, steps };
}

/** The same merge again after an undo. Refs that the undo did not move back stay unchanged. */
export function planRedo(merge: MergePlan, at: { seconds: number; offsetMinutes: number }): MergePlan {
  const { branchRef, parent, commit } = merge;
  const refs = [branchRef];
  const line = reflogLine(merge, at, `${parent} ${commit}`, `redo: moving to ${commit}`);
  const steps = merge.steps.flatMap((step): MergeStep[] => {
    switch (step.kind) {
      case 'lock':
      case 'unlock':
      case 'back-up':
        return [{ ...step, refs }];
      case 'add-objects':
        return [];
      case 'update-ref':
        return step.ref === branchRef ? [step] : [];
      case 'append-reflog':
        return [{ ...step, line }];
      case 'check':
      case 'place':
      case 'remove':
      case 'publish':
      case 'update-index':
      case 'restore-index':
      case 'write-message':
      case 'restore-message':
        return [step];
    }
  });
  return { ...merge, steps };
}

/** The reflog line, with the person who made the merge. */
function reflogLine(
  merge: MergePlan,
  at: { seconds: number; offsetMinutes: number },
  move: string,
  what: string,
): string {
  const identity = /^\S+ \S+ (.*) <(.*)> \d+ \S+\t/.exec(stepOf(merge, 'append-reflog').line);
  const signature = formatSignature({ name: identity?.[1] ?? '', email: identity?.[2] ?? '', ...at });
  return `${move} ${signature}\t${what}\n`;
}

type Source = MergeStepOf<'place'>['files'][number]['source'];

function fileSteps(session: SessionId, changes: ChangeSet, sourceOf: (path: string) => Source): MergeStep[] {
  const placed = changes.filter(({ after }) => hasContent(after));
  const removed = changes.filter(({ before, after }) => hasContent(before) && !hasContent(after));
  const goes = changes.filter(({ before, after }) => before.kind === 'directory' && after.kind !== 'directory');
  const comes = changes.filter(({ before, after }) => after.kind === 'directory' && before.kind !== 'directory');
  const paths = (list: readonly FileChange[]): string[] => list.map(({ path }) => path);
  const files = placed.map((change) => ({ change, source: sourceOf(change.path) }));
  return [
    { kind: 'place', session, files },
    { kind: 'remove', files: removed, directories: paths(goes).reverse(), kept: [...paths(placed), ...paths(comes)] },
    { kind: 'publish', directories: paths(comes), files: placed },
  ];
}

function hasContent(state: FileState): boolean {
  return state.kind === 'file' || state.kind === 'symlink';
}

function stepOf<K extends MergeStep['kind']>(plan: MergePlan, kind: K): MergeStepOf<K> {
  const found = plan.steps.find((step): step is MergeStepOf<K> => step.kind === kind);
  if (found === undefined) throw new Error(`the plan has no step ${kind}`);
  return found;
}
