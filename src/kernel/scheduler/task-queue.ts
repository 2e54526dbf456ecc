import { isFinished } from './task.ts';
import type { Task, TaskSpec, TaskState } from './task.ts';

/** All tasks that are not forgotten yet, by id. Immutable: every function below returns a new one. */
export interface TaskQueue {
  readonly tasks: ReadonlyMap<string, Task>;
  readonly nextSequence: number;
}

export const emptyQueue: TaskQueue = { tasks: new Map(), nextSequence: 1 };

export type EnqueueOutcome =
  { readonly kind: 'enqueued'; readonly queue: TaskQueue } | { readonly kind: 'rejected'; readonly reason: string };

/**
 * Adds a task. Dependencies must be known already, so there can be no cycle. If a dependency has failed, the task fails
 * at once.
 */
export function enqueue(queue: TaskQueue, spec: TaskSpec, nowMs: number): EnqueueOutcome {
  if (queue.tasks.has(spec.id)) return { kind: 'rejected', reason: `there is a task ${spec.id} already` };
  const unknown = spec.dependencies.find((id) => !queue.tasks.has(id));
  if (unknown !== undefined) return { kind: 'rejected', reason: `it depends on ${unknown}, which is not known` };
  const task: Task = {
    ...spec,
    sequence: queue.nextSequence,
    enqueuedAtMs: nowMs,
    state: waitingState(queue, spec.dependencies),
  };
  return {
    kind: 'enqueued',
    queue: { tasks: new Map(queue.tasks).set(task.id, task), nextSequence: queue.nextSequence + 1 },
  };
}

/** Marks a waiting or paused task as running. For a paused task the time it already ran still counts. */
export function start(queue: TaskQueue, id: string, nowMs: number): TaskQueue {
  return change(queue, id, (task) => {
    if (task.state.kind === 'queued') return { kind: 'running', sinceMs: nowMs };
    if (task.state.kind === 'paused') return { kind: 'running', sinceMs: nowMs - task.state.ranMs };
    return task.state;
  });
}

export function pause(queue: TaskQueue, id: string, nowMs: number): TaskQueue {
  return change(queue, id, ({ state }) =>
    state.kind === 'running' ? { kind: 'paused', ranMs: nowMs - state.sinceMs } : state,
  );
}

/** Ends a task. If it did not complete, its dependents fail too, and their dependents; nothing is tried again. */
export function finish(
  queue: TaskQueue,
  id: string,
  outcome: Extract<TaskState, { kind: 'completed' | 'failed' | 'cancelled' }>,
): TaskQueue {
  let next = change(queue, id, (task) => (isFinished(task) ? task.state : outcome));
  // Dependents come later than their dependencies, so one pass in order of arrival passes on all failures.
  for (const task of inOrderOfArrival(next)) {
    if (task.state.kind !== 'waiting-dependency') continue;
    next = change(next, task.id, () => waitingState(next, task.dependencies));
  }
  return next;
}

/** Drops a finished task that no other task depends on. */
export function forget(queue: TaskQueue, id: string): TaskQueue {
  const task = queue.tasks.get(id);
  if (task === undefined || !isFinished(task)) return queue;
  const needed = [...queue.tasks.values()].some((other) => !isFinished(other) && other.dependencies.includes(id));
  if (needed) return queue;
  const tasks = new Map(queue.tasks);
  tasks.delete(id);
  return { ...queue, tasks };
}

export function inOrderOfArrival(queue: TaskQueue): readonly Task[] {
  return [...queue.tasks.values()].sort((a, b) => a.sequence - b.sequence);
}

function waitingState(queue: TaskQueue, dependencies: readonly string[]): TaskState {
  let open = false;
  for (const id of dependencies) {
    const kind = queue.tasks.get(id)?.state.kind;
    if (kind === 'failed' || kind === 'cancelled') return { kind: 'failed', reason: `dependency failed: ${id}` };
    if (kind !== 'completed') open = true;
  }
  return open ? { kind: 'waiting-dependency' } : { kind: 'queued' };
}

function change(queue: TaskQueue, id: string, stateOf: (task: Task) => TaskState): TaskQueue {
  const task = queue.tasks.get(id);
  if (task === undefined) return queue;
  const state = stateOf(task);
  return state === task.state ? queue : { ...queue, tasks: new Map(queue.tasks).set(id, { ...task, state }) };
}
