import type { ModelEvent, ModelFailure, ModelRequest } from '../../contracts/model.ts';

/** Events of an attempt that is under way; how it ends is its outcome. Awaiting it is what slows a fast model down. */
export type PartialEvent = Extract<
  ModelEvent,
  { type: 'text_delta' | 'call_start' | 'call_delta' | 'call_end' | 'usage' }
>;
export type Emit = (event: PartialEvent) => Promise<void>;

export type Stop = Extract<ModelEvent, { type: 'done' }>['stop'];

export interface AttemptFailure {
  readonly kind: 'failed';
  readonly code: ModelFailure;
  /** For a person. Never a header or a key. */
  readonly message: string;
  readonly retryable: boolean;
  /** What the server asked for, or null. */
  readonly retryAfterMs: number | null;
}

export type AttemptOutcome = { readonly kind: 'done'; readonly stop: Stop } | AttemptFailure;

/** One vendor's wire. */
export interface ModelClient {
  /** Sends the request once and streams the answer. Expected failures are outcomes; after an abort the outcome is ignored. */
  attempt(request: ModelRequest, emit: Emit, signal: AbortSignal): Promise<AttemptOutcome>;
}

export function failed(
  code: ModelFailure,
  message: string,
  {
    retryable = false,
    retryAfterMs = null,
  }: { readonly retryable?: boolean; readonly retryAfterMs?: number | null } = {},
): AttemptFailure {
  return { kind: 'failed', code, message, retryable, retryAfterMs };
}
