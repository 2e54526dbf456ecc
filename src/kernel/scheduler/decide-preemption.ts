import { hasRoom, inOrderOfUrgency, runningTasks } from './choose-next.ts';
import type { SchedulerLimits } from './choose-next.ts';
import type { TaskQueue } from './task-queue.ts';
import type { Task } from './task.ts';

export type PreemptionDecision =
  | { readonly kind: 'none' }
  /** The running task is nearly done: let it finish. */
  | { readonly kind: 'wait'; readonly task: string }
  | { readonly kind: 'pause'; readonly task: string }
  | { readonly kind: 'destroy'; readonly task: string };

/** A task that has used more than this share of its time is allowed to finish. */
const NEARLY_DONE = 0.8;
/** Above this share of used memory a paused task would only hold memory that others need. */
const MEMORY_SCARCE = 0.8;

/**
 * Which running task makes room for the most urgent waiting task. Only a task that arrived with a lower priority must
 * make room: a task that became urgent by waiting moves up in the queue but never takes the place of a running one.
 * `memoryUsage` is 0 to 1.
 */
export function decidePreemption(
  queue: TaskQueue,
  limits: SchedulerLimits,
  nowMs: number,
  memoryUsage: number,
): PreemptionDecision {
  const running = runningTasks(queue);
  const waiting = inOrderOfUrgency(queue, limits, nowMs).find((task) => task.state.kind === 'queued');
  if (waiting === undefined || hasRoom(running, waiting.template, limits)) return { kind: 'none' };
  const victim = chooseVictim(running, waiting, limits);
  if (victim === null) return { kind: 'none' };
  const { id, state, preemptibleWithinMs } = victim;
  const ranMs = state.kind === 'running' ? nowMs - state.sinceMs : 0;
  if (ranMs > (preemptibleWithinMs ?? 0) * NEARLY_DONE) return { kind: 'wait', task: id };
  return { kind: memoryUsage > MEMORY_SCARCE ? 'destroy' : 'pause', task: id };
}

/** The least urgent running task whose place is suitable; among equals the one with the shortest running time. */
function chooseVictim(running: readonly Task[], waiting: Task, limits: SchedulerLimits): Task | null {
  const candidates = running.filter(
    (task) =>
      task.preemptibleWithinMs !== null &&
      task.priority > waiting.priority &&
      hasRoom(
        running.filter((other) => other !== task),
        waiting.template,
        limits,
      ),
  );
  const sinceMs = (task: Task): number => (task.state.kind === 'running' ? task.state.sinceMs : 0);
  const order = (a: Task, b: Task): number =>
    b.priority - a.priority || sinceMs(b) - sinceMs(a) || b.sequence - a.sequence;
  return candidates.toSorted(order)[0] ?? null;
}
