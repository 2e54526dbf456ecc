import type { SandboxTemplate } from '../sandbox/sandbox-templates.ts';

/** 1 system, 2 a person is waiting, 3 ordinary, 4 in the background, 5 idle. */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** How the holder of a place makes room for a more urgent task. Pause and resume are called from outside, in turn. */
export interface Preemption {
  readonly maxDurationMs: number;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the operation and frees its place. */
  destroy(): Promise<void>;
}

export interface AdmissionRequest {
  readonly template: SandboxTemplate;
  readonly priority: Priority;
  readonly signal?: AbortSignal;
  /** Absent: the holder keeps the place until it is done. */
  readonly preemption?: Preemption;
}

/** Admits a limited number of tasks that may run at the same time. */
export interface Admission {
  /** Resolves when there is room, with a function that frees the place (once; later calls do nothing). Rejects with the signal's reason. */
  enter(request: AdmissionRequest): Promise<() => void>;
}
