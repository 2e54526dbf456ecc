import { DEFAULT_BINDINGS } from '../keymap/bindings.ts';
import type { Bindings } from '../keymap/bindings.ts';
import type { TestReport } from './item.ts';
import type { SessionMode, SessionState } from '../../contracts/session/workflow-states.ts';
import type { SessionFinished } from '../../contracts/session/events.ts';
import type { TodoItem } from '../../contracts/session/todo.ts';
import type { SlashCommand } from '../commands/slash-command.ts';
import type { Composer } from '../composer/composer.ts';
import { EMPTY_COMPOSER } from '../composer/composer.ts';
import type { FinishedCall, FinishedThought, Panel } from '../panel/panel.ts';
import type { Proving } from './proving.ts';
import type { Denial, Item, ItemBody } from './item.ts';
import type { AcceptedFile } from '../review/accepted-files.ts';
import type { Card } from '../review/card.ts';
import type { SafeText } from './safe-text.ts';
import type { ThemeName } from '../text/theme.ts';
import type { TextStream } from './text-stream.ts';
import { NO_TEXT } from './text-stream.ts';

/** Everything from which the screen is drawn. `items` went to the scrollback, in order; the rest is the live region. */
export interface ViewState {
  readonly items: readonly Item[];
  /** The kind of the last item, kept after the item was printed. */
  readonly lastKind: ItemBody['kind'] | null;
  readonly project: SafeText;
  readonly model: SafeText;
  readonly mode: SessionMode;
  /** The theme of everything that is not in the scrollback yet. */
  readonly theme: ThemeName;
  readonly state: SessionState;
  /** The current change is exempt from the test-first order, so it has no red, and no proof of its tests. */
  readonly isExempt: boolean;
  /** Time of the last change; null: since the session was opened. */
  readonly stateSinceMs: number | null;
  readonly sessionId: string | null;
  readonly kernel: KernelStatus;
  readonly run: RunStatus;
  readonly stream: TextStream;
  readonly tools: readonly RunningTool[];
  /** Successful read-only calls since anything else was shown: they become one line. */
  readonly reads: readonly FinishedRead[];
  /** The steps of the model's work. */
  readonly todo: readonly TodoItem[];
  /** A question of the model waits for an answer, and is on the screen. */
  readonly asks: boolean;
  /** The observations about the change beyond its tests. */
  readonly proving: Proving | null;
  /** From `test.finished`; drawn with the call that ran the tests. */
  readonly testsByCall: Readonly<Record<string, TestReport>>;
  /** Why policy denied calls in progress; drawn with the calls. */
  readonly denialsByCall: Readonly<Record<string, Denial>>;
  /** The state that a call in progress led to; its line follows that of the call. */
  readonly heldState: ItemBody | null;
  /** The reason that the last notice has shown, so that the line of the call need not repeat it. */
  readonly shownReason: string | null;
  readonly meter: Meter;
  /** Commits of this session while it was shown, oldest first. */
  readonly commits: readonly string[];
  readonly card: WaitingCard | null;
  /** Files that the person has accepted at a review, each with its change at that time. */
  readonly accepted: readonly AcceptedFile[];
  /** Tasks typed during a run, oldest first. */
  readonly queue: readonly string[];
  /** Messages to the current run that the kernel has and the model has not read yet, oldest first. */
  readonly joining: readonly string[];
  /** Why the model has not answered yet: its provider failed and is asked again, or is silent. */
  readonly providerRow: SafeText | null;
  /** The current activity without a row of its own, and its start. */
  readonly busy: { readonly words: SafeText; readonly sinceMs: number } | null;
  /** A tip, until the first run. */
  readonly tip: SafeText | null;
  /** One temporary line above the prompt. */
  readonly hint: SafeText | null;
  readonly composer: Composer;
  /** Files that match the text typed after an `@`. */
  readonly fileMenu: readonly SafeText[];
  readonly menu: MenuState;
  /** Finished calls and thoughts, oldest first; the oldest are dropped. */
  readonly calls: readonly (FinishedCall | FinishedThought)[];
  /** Commands of the user and the project. */
  readonly ownCommands: readonly SlashCommand[];
  /** The person's messages in this session, oldest first. */
  readonly said: readonly string[];
  /** The actions of keys with Ctrl or Alt. */
  readonly bindings: Bindings;
  /** The panel that takes the keys in place of the prompt. */
  readonly panel: Panel | null;
}

/** State of the menu after `/` or `@`; reset with the next typed key. */
export interface MenuState {
  /** null until an arrow key chose an entry. */
  readonly selected: number | null;
  /** Closed by Esc. */
  readonly closed: boolean;
}

export const FRESH_MENU: MenuState = { selected: null, closed: false };

export type KernelStatus =
  | { readonly kind: 'starting'; readonly step: SafeText }
  | { readonly kind: 'ready' }
  | { readonly kind: 'away'; readonly step: SafeText };

export type RunStatus =
  | { readonly kind: 'idle'; readonly last: SessionFinished['status'] | null }
  | {
      readonly kind: 'running';
      readonly sinceMs: number;
      /** Time waited for decisions, which does not count as work. */
      readonly waitedMs: number;
      readonly interrupting: boolean;
      /** A command of the person, which no message can join. */
      readonly command?: true;
      /** Its work is over; it only cleans up. */
      readonly ending?: true;
    };

export interface RunningTool {
  readonly callId: string;
  readonly tool: SafeText;
  readonly target: SafeText;
  readonly sinceMs: number;
  /** The maximum duration, once the call has taken long. */
  readonly progress: SafeText | null;
  /** Number of finished test cases. */
  readonly counted: SafeText | null;
}

/** A read-only call, with the line for it if it stays alone. */
export interface FinishedRead {
  readonly name: SafeText;
  readonly durationMs: number;
  readonly line: ItemBody;
}

export interface Meter {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null if any request had no price. */
  readonly costUsd: number | null;
  /** Time of the finished runs, without the time waited for decisions. */
  readonly workedMs: number;
  /** Free share of the model's window after the last answer; null before the first. */
  readonly contextLeft: number | null;
}

/** A review that waits for the person, with exactly what is decided: the signed digest is computed over these strings. */
export interface WaitingCard {
  readonly reviewId: string;
  /** As it was drawn. */
  readonly shown: Card;
  readonly kind: 'merge' | 'policy' | 'plugin' | 'mode';
  readonly message: string;
  readonly diff: string;
  readonly sha256: string;
  /** When the card was written to the terminal; it cannot be decided before. */
  readonly drawnAtMs: number | null;
  /** Since when a run waits for the decision; null if none does. This time does not count as work. */
  readonly waitsSinceMs: number | null;
  readonly deciding: boolean;
}

export interface Opening {
  /** Absent: the default keys. */
  readonly bindings?: Bindings;
  readonly project: SafeText;
  readonly model: SafeText;
  readonly mode: SessionMode;
  readonly theme: ThemeName;
}

export function initialView(
  { project, model, mode, theme, bindings = DEFAULT_BINDINGS }: Opening,
  step: SafeText,
): ViewState {
  return {
    items: [],
    lastKind: null,
    project,
    model,
    mode,
    theme,
    bindings,
    state: 'idle',
    isExempt: false,
    stateSinceMs: null,
    sessionId: null,
    kernel: { kind: 'starting', step },
    run: { kind: 'idle', last: null },
    stream: NO_TEXT,
    tools: [],
    reads: [],
    todo: [],
    asks: false,
    proving: null,
    testsByCall: {},
    denialsByCall: {},
    heldState: null,
    shownReason: null,
    meter: { inputTokens: 0, outputTokens: 0, costUsd: 0, workedMs: 0, contextLeft: null },
    commits: [],
    card: null,
    accepted: [],
    queue: [],
    joining: [],
    providerRow: null,
    busy: null,
    tip: null,
    hint: null,
    composer: EMPTY_COMPOSER,
    fileMenu: [],
    menu: FRESH_MENU,
    calls: [],
    ownCommands: [],
    said: [],
    panel: null,
  };
}
