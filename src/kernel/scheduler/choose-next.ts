import { perTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { Priority } from '../../contracts/ports/admission.ts';
import { inOrderOfArrival } from './task-queue.ts';
import type { TaskQueue } from './task-queue.ts';
import type { Task } from './task.ts';

export interface SchedulerLimits {
  readonly globalMax: number;
  /** A template without an entry is limited by `globalMax` only. */
  readonly perTemplate: Readonly<Partial<Record<SandboxTemplate, number>>>;
  /** After this waiting time a task counts as one level more urgent, and again after each further such time. */
  readonly ageThresholdMs: number;
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  globalMax: 4,
  perTemplate: perTemplate(({ places }) => places),
  ageThresholdMs: 30_000,
};

/**
 * Tasks that may start or resume now, most urgent first: all dependencies are completed, and there is room for the
 * template and in total. A less urgent task may pass one whose template is full, because it does not take its room.
 */
export function chooseNext(queue: TaskQueue, limits: SchedulerLimits, nowMs: number): readonly Task[] {
  const running = runningTasks(queue);
  const chosen: Task[] = [];
  for (const task of inOrderOfUrgency(queue, limits, nowMs)) {
    if (hasRoom([...running, ...chosen], task.template, limits)) chosen.push(task);
  }
  return chosen;
}

/** Tasks that only wait for room, most urgent first, then by arrival. */
export function inOrderOfUrgency(queue: TaskQueue, limits: SchedulerLimits, nowMs: number): readonly Task[] {
  return inOrderOfArrival(queue)
    .filter((task) => task.state.kind === 'queued' || task.state.kind === 'paused')
    .map((task) => ({ task, urgency: effectivePriority(task, limits.ageThresholdMs, nowMs) }))
    .sort((a, b) => a.urgency - b.urgency || a.task.sequence - b.task.sequence)
    .map(({ task }) => task);
}

/**
 * Urgency grows with waiting, so that no task waits for ever, but only up to 2, so that no task passes a system task.
 */
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
