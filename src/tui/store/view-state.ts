import type { TestReport } from './item.ts';
import type { SessionMode, SessionState } from '../../contracts/workflow-states.ts';
import type { SessionFinished } from '../../contracts/events.ts';
import type { Composer } from './composer.ts';
import { EMPTY_COMPOSER } from './composer.ts';
import type { Denial, Item, ItemBody } from './item.ts';
import type { SafeText } from './safe-text.ts';
import type { TextStream } from './text-stream.ts';
import { NO_TEXT } from './text-stream.ts';

/** Everything the screen is drawn from. `items` is what went to the scrollback, in order; the rest is the live region. */
export interface ViewState {
  readonly items: readonly Item[];
  /** What the last item was; items that have been printed forget it. */
  readonly lastKind: ItemBody['kind'] | null;
  readonly project: SafeText;
  readonly model: SafeText;
  readonly mode: SessionMode;
  readonly state: SessionState;
  readonly sessionId: string | null;
  readonly kernel: KernelStatus;
  readonly run: RunStatus;
  readonly stream: TextStream;
  readonly tools: readonly RunningTool[];
  /** Told by `test.finished`, drawn with the call that ran them. */
  readonly testsByCall: Readonly<Record<string, TestReport>>;
  /** What policy said of calls under way that it denied, drawn with them. */
  readonly denialsByCall: Readonly<Record<string, Denial>>;
  /** A state that a call under way led to; its line follows the call's. */
  readonly heldState: ItemBody | null;
  /** Why a gate stayed shut, as a notice said just now; the call's own line then need not repeat it. */
  readonly toldWhy: string | null;
  readonly meter: Meter;
  readonly card: WaitingCard | null;
  /** Tasks typed while the session was at work, oldest first. */
  readonly queue: readonly string[];
  /** One passing line above the prompt. */
  readonly hint: SafeText | null;
  readonly composer: Composer;
}

export type KernelStatus =
  | { readonly kind: 'starting'; readonly step: SafeText }
  | { readonly kind: 'ready' }
  | { readonly kind: 'away'; readonly step: SafeText };

export type RunStatus =
  | { readonly kind: 'idle'; readonly last: SessionFinished['status'] | null }
  | { readonly kind: 'running'; readonly sinceMs: number; readonly interrupting: boolean };

export interface RunningTool {
  readonly callId: string;
  readonly tool: SafeText;
  readonly target: SafeText;
  readonly sinceMs: number;
}

export interface Meter {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null as soon as one request came without a price. */
  readonly costUsd: number | null;
  /** Time of the runs that ended. */
  readonly workedMs: number;
}

/** A review that waits for the human, with exactly what is decided: the digest that gets signed is computed over these strings. */
export interface WaitingCard {
  readonly reviewId: string;
  readonly kind: 'merge' | 'policy' | 'plugin' | 'mode';
  readonly message: string;
  readonly diff: string;
  readonly sha256: string;
  /** When the card had been written to the terminal; until then nothing decides. */
  readonly drawnAtMs: number | null;
  readonly deciding: boolean;
}

export interface Opening {
  readonly project: SafeText;
  readonly model: SafeText;
  readonly mode: SessionMode;
}

export function initialView({ project, model, mode }: Opening, step: SafeText): ViewState {
  return {
    items: [],
    lastKind: null,
    project,
    model,
    mode,
    state: 'idle',
    sessionId: null,
    kernel: { kind: 'starting', step },
    run: { kind: 'idle', last: null },
    stream: NO_TEXT,
    tools: [],
    testsByCall: {},
    denialsByCall: {},
    heldState: null,
    toldWhy: null,
    meter: { inputTokens: 0, outputTokens: 0, costUsd: 0, workedMs: 0 },
    card: null,
    queue: [],
    hint: null,
    composer: EMPTY_COMPOSER,
  };
}
