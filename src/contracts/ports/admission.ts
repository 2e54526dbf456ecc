import type { SandboxTemplate } from '../sandbox/sandbox-templates.ts';

/** 1 system, 2 a person is waiting, 3 ordinary, 4 in the background, 5 idle. */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** How the holder of a place makes room for somebody more urgent. Both are called from outside, one after the other. */
export interface Preemption {
  readonly maxDurationMs: number;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends what it does and gives its place back. */
  destroy(): Promise<void>;
}

export interface AdmissionRequest {
  readonly template: SandboxTemplate;
  readonly priority: Priority;
  readonly signal?: AbortSignal;
  /** Absent: whoever got a place keeps it until it is done. */
  readonly preemption?: Preemption;
}

/** A place among those that may run at the same time. */
export interface Admission {
  /** Resolves when there is room; the answer gives the place back (once; later calls do nothing). Rejects with the signal's reason. */
  enter(request: AdmissionRequest): Promise<() => void>;
}
