import { perTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { Priority } from '../../contracts/ports/admission.ts';
import { inOrderOfArrival } from './task-queue.ts';
import type { TaskQueue } from './task-queue.ts';
import type { Task } from './task.ts';

export interface SchedulerLimits {
  readonly globalMax: number;
  /** Absent: bounded by `globalMax` alone. */
  readonly perTemplate: Readonly<Partial<Record<SandboxTemplate, number>>>;
  /** A task that has waited this long counts as one level more urgent; again after as long again. */
  readonly ageThresholdMs: number;
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  globalMax: 4,
  perTemplate: perTemplate(({ places }) => places),
  ageThresholdMs: 30_000,
};

/**
 * Tasks that may start or go on now, most urgent first: all dependencies completed, and room for its template and in all. A less
 * urgent task may pass one whose template is full; it takes nothing from it.
 */
export function chooseNext(queue: TaskQueue, limits: SchedulerLimits, nowMs: number): readonly Task[] {
  const running = runningTasks(queue);
  const chosen: Task[] = [];
  for (const task of inOrderOfUrgency(queue, limits, nowMs)) {
    if (hasRoom([...running, ...chosen], task.template, limits)) chosen.push(task);
  }
  return chosen;
}

/** Tasks that wait for nothing but room, most urgent first, then by arrival. */
export function inOrderOfUrgency(queue: TaskQueue, limits: SchedulerLimits, nowMs: number): readonly Task[] {
  return inOrderOfArrival(queue)
    .filter((task) => task.state.kind === 'queued' || task.state.kind === 'paused')
    .map((task) => ({ task, urgency: effectivePriority(task, limits.ageThresholdMs, nowMs) }))
    .sort((a, b) => a.urgency - b.urgency || a.task.sequence - b.task.sequence)
    .map(({ task }) => task);
}

/** Nobody waits for ever: urgency grows with waiting, to 2 at most, so that nothing ever passes a system task. */
export function effectivePriority(task: Task, ageThresholdMs: number, nowMs: number): Priority {
  if (task.priority <= 2) return task.priority;
  const levels = Math.floor(Math.max(0, nowMs - task.enqueuedAtMs) / ageThresholdMs);
  return Math.max(2, task.priority - levels) as Priority;
}

export function runningTasks(queue: TaskQueue): readonly Task[] {
  return inOrderOfArrival(queue).filter((task) => task.state.kind === 'running');
}

export function hasRoom(running: readonly Task[], template: SandboxTemplate, limits: SchedulerLimits): boolean {
  const ofTemplate = running.filter((task) => task.template === template).length;
  return running.length < limits.globalMax && ofTemplate < (limits.perTemplate[template] ?? limits.globalMax);
}
