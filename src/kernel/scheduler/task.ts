import type { SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { Priority } from '../../contracts/ports/admission.ts';

export type TaskType = 'ai_generate' | 'tool_run' | 'test_run' | 'validate' | 'review' | 'commit' | 'standby';

export interface TaskSpec {
  readonly id: string;
  readonly type: TaskType;
  readonly priority: Priority;
  /** The template of the sandbox that needs a place. */
  readonly template: SandboxTemplate;
  /** Ids of tasks that must have completed before. */
  readonly dependencies: readonly string[];
  /** Set for a task that can be paused or ended to make room: its maximum duration. */
  readonly preemptibleWithinMs: number | null;
}

export type TaskState =
  | { readonly kind: 'waiting-dependency' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'running'; readonly sinceMs: number }
  | { readonly kind: 'paused'; readonly ranMs: number }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled' };

export interface Task extends TaskSpec {
  /** Order of arrival. */
  readonly sequence: number;
  readonly enqueuedAtMs: number;
  readonly state: TaskState;
}

export function isFinished(task: Task): boolean {
  return task.state.kind === 'completed' || task.state.kind === 'failed' || task.state.kind === 'cancelled';
}
