import type { ModelEvent, ModelFailure, ModelRequest } from '../../contracts/model/model.ts';

/**
 * Events of an attempt in progress, as the server sent them; the outcome says how it ends. Awaiting them slows down a fast model. `answering`: the
 * server has begun to answer. `thought`: the model thinks; `text` if the server shows it.
 */
export type PartialEvent =
  NormalEvent | { readonly type: 'answering' } | { readonly type: 'thought'; readonly text?: string };
export type NormalEvent = Extract<
  ModelEvent,
  { type: 'thought_delta' | 'text_delta' | 'call_start' | 'call_delta' | 'call_end' | 'thoughts' | 'usage' }
>;
export type Emit = (event: PartialEvent) => Promise<void>;

export type Stop = Extract<ModelEvent, { type: 'done' }>['stop'];

export interface AttemptFailure {
  readonly kind: 'failed';
  readonly code: ModelFailure;
  /** For people. Never contains a header or a key. */
  readonly message: string;
  readonly retryable: boolean;
  /** The wait that the server requests, or null. */
  readonly retryAfterMs: number | null;
}

export type AttemptOutcome = { readonly kind: 'done'; readonly stop: Stop } | AttemptFailure;

/** The protocol of one vendor. */
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
