/** Decides which sandbox runs when: priorities, dependencies, places. */
export { DEFAULT_LIMITS } from './choose-next.ts';
export type { SchedulerLimits } from './choose-next.ts';
export { Scheduler } from './scheduler.ts';
export type { SchedulerOptions, TaskOutcome } from './scheduler.ts';
export type { TaskSpec, TaskState, TaskType } from './task.ts';
