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

/** Everything the screen is drawn from. `items` is what went to the scrollback, in order; the rest is the live region. */
export interface ViewState {
  readonly items: readonly Item[];
  /** The kind of the last item, kept after the item was printed. */
  readonly lastKind: ItemBody['kind'] | null;
  readonly project: SafeText;
  readonly model: SafeText;
  readonly mode: SessionMode;
  /** How everything is drawn that is not in the scrollback yet. */
  readonly theme: ThemeName;
  readonly state: SessionState;
  /** Since when; null: since the session was opened. */
  readonly stateSinceMs: number | null;
  readonly sessionId: string | null;
  readonly kernel: KernelStatus;
  readonly run: RunStatus;
  readonly stream: TextStream;
  readonly tools: readonly RunningTool[];
  /** Calls that only looked and ended well, since anything else was shown: they become one line. */
  readonly reads: readonly FinishedRead[];
  /** The steps that the model keeps of its work. */
  readonly todo: readonly TodoItem[];
  /** A question of the model waits for an answer, and is on the screen. */
  readonly asks: boolean;
  /** What is being observed of the change beside its tests. */
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
  /** Files that the person has accepted at a review, each as it was changed then. */
  readonly accepted: readonly AcceptedFile[];
  /** Tasks typed during a run, oldest first. */
  readonly queue: readonly string[];
  /** Messages to the run under way that the kernel has, and the model has not read yet, oldest first. */
  readonly joining: readonly string[];
  /** Why the model has not answered yet: its provider failed and is asked again, or is silent. */
  readonly providerRow: SafeText | null;
  /** What goes on without a row of its own, and since when. */
  readonly busy: { readonly words: SafeText; readonly sinceMs: number } | null;
  /** Teaches one thing, until the first run. */
  readonly tip: SafeText | null;
  /** One temporary line above the prompt. */
  readonly hint: SafeText | null;
  readonly composer: Composer;
  /** Files that what is typed behind an `@` may mean. */
  readonly fileMenu: readonly SafeText[];
  readonly menu: MenuState;
  /** Calls that have ended, and thoughts, oldest first; those that are long past are forgotten. */
  readonly calls: readonly (FinishedCall | FinishedThought)[];
  /** Commands of the person's and the project's own. */
  readonly ownCommands: readonly SlashCommand[];
  /** What the person has said in this session, oldest first. */
  readonly said: readonly string[];
  /** What keys with Ctrl or Alt mean. */
  readonly bindings: Bindings;
  /** What takes the keys instead of the prompt. */
  readonly panel: Panel | null;
}

/** Of the menu behind `/` or `@`; both are forgotten with the next typed key. */
export interface MenuState {
  /** Null until an arrow key chose one. */
  readonly selected: number | null;
  /** By Esc. */
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
      /** What it has waited for decisions, which is no time of work. */
      readonly waitedMs: number;
      readonly interrupting: boolean;
      /** A command of the person, which no message can join. */
      readonly command?: true;
      /** Its work is over; sandboxes and what is left of it are put away. */
      readonly ending?: true;
    };

export interface RunningTool {
  readonly callId: string;
  readonly tool: SafeText;
  readonly target: SafeText;
  readonly sinceMs: number;
  /** How long it may take, once it has taken long. */
  readonly progress: SafeText | null;
  /** Test cases that have ended. */
  readonly counted: SafeText | null;
}

/** A call that changed nothing, with the line that it has if it stays alone. */
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
  /** Time of the runs that ended, less what they have waited for decisions. */
  readonly workedMs: number;
  /** Share of the model's window that is still free, as of the last answer; null before the first. */
  readonly contextLeft: number | null;
}

/** A review that waits for the human, with exactly what is decided: the digest that gets signed is computed over these strings. */
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
  /** Since when a run waits for the decision; null: none does. That is no time of work. */
  readonly waitsSinceMs: number | null;
  readonly deciding: boolean;
}

export interface Opening {
  /** Absent: those that there are by default. */
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
