import type { Effort } from '../contracts/model/model-facts.ts';
import type { RunLimits } from '../contracts/session/session-protocol.ts';
import type { SessionMode } from '../contracts/session/workflow-states.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface RunArguments {
  readonly task: string;
  readonly print: boolean;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  readonly mode: SessionMode | undefined;
  readonly model: string | undefined;
  readonly effort?: Effort | undefined;
  readonly baseUrl: string | undefined;
  readonly approve: 'never' | 'auto' | 'ask';
  readonly limits: RunLimits;
  /** `session` null: the person chooses one. */
  readonly resume: { readonly session: string | null; readonly fork: boolean } | null;
  readonly project: string | undefined;
  /** Name of a linked worktree of the project to work in; absent: the project itself. */
  readonly worktree?: string | undefined;
  readonly allowRoot: boolean;
  readonly verbose: boolean;
  readonly screenReader: boolean;
}

/** Without a terminal the session must be named, because nobody can choose one. */
export interface HeadlessArguments extends Omit<RunArguments, 'resume'> {
  readonly resume: { readonly session: string; readonly fork: boolean } | null;
}
