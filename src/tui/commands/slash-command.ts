import type { CalledCommand } from '../../contracts/session/called-command.ts';
import type { RequestMethod, RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import type { EditedFile } from '../../contracts/session/review-requests.ts';
import type { SessionMode } from '../../contracts/session/workflow-states.ts';
import type { Bindings } from '../keymap/bindings.ts';
import type { KeyStyle } from '../composer/vim/key-styles.ts';
import type { ThemeName } from '../text/theme.ts';

/** Requests about the session that a command belongs to. */
export type SessionMethod = Extract<
  RequestMethod,
  | 'review.file'
  | `session.${'run' | 'note' | 'rename' | 'reset' | 'undo' | 'redo' | 'set_mode' | 'set_model' | 'describe' | 'compact' | 'pin' | 'unpin' | 'call'}`
>;

/** Sends a request about the session, which is started if there is none yet. */
export type SessionRequest = <M extends SessionMethod>(
  method: M,
  params: Omit<RequestParams<M>, 'session_id'>,
) => Promise<RequestResult<M>>;

/** What a command can use: the session, and the place for its answer. */
export interface SlashContext {
  readonly request: SessionRequest;
  readonly mode: SessionMode;
  /** All commands under their headings, for /help. */
  readonly groups: readonly { readonly title: string; readonly commands: readonly SlashCommand[] }[];
  /** Shows lines of an answer; the text may be untrusted. */
  answer(text: string): void;
  /** Shows one line about what was typed, until the next key. */
  hint(text: string): void;
  /** Shows one line about an event. */
  note(text: string): void;
  /** Shows a unified diff, or a text that says why there is none. */
  diff(text: string): void;
  /** Resolves to true only when the person says yes. */
  confirm(question: string): Promise<boolean>;
  /** Stores a patch on the host. Resolves to its path. */
  keepPatch(patch: string): Promise<string>;
  decide(choice: Choice): void;
  /** Opens files of the waiting review in the person's editor. */
  editReview(paths: readonly string[]): Promise<void>;
  /** Files of the waiting review. */
  reviewFiles(): readonly string[];
  /** Whether its change was made without tests first, so that tests can be requested before the merge. */
  testsCanFollow(): boolean;
  /** The waiting review was dropped without a decision. */
  reviewDropped(): void;
  /** This commit of the session was undone. */
  commitUndone(commit: string): void;
  /** This commit was made again. */
  commitRedone(commit: string): void;
  /** Lets the person choose another model for this session. */
  pickModel(): Promise<void>;
  chooseModel(model: string): Promise<void>;
  /** As typed; empty: shows the present effort. */
  setEffort(text: string): Promise<void>;
  /** Lets the person choose another session to resume. */
  pickSession(): Promise<void>;
  /** Lets the person choose an earlier message to go back to. */
  pickMessage(): void;
  /** The next message begins a session. */
  startNewSession(): void;
  /** Continues in a copy of this session. */
  fork(): Promise<void>;
  /** Lets the person choose a theme, with a preview. */
  pickTheme(): void;
  /** Uses this theme from now on, and stores it in the user's configuration. */
  keepTheme(theme: ThemeName): Promise<void>;
  readonly keys: KeyStyle;
  /** The bindings of keys with Ctrl or Alt. */
  readonly bindings: Bindings;
  /** Uses these keys at the prompt from now on, and stores them in the user's configuration. */
  keepKeys(keys: KeyStyle): Promise<void>;
  /** Writes the session to this file, or to one beside fluffy's own. Resolves to the path. */
  writeExport(file: string | null): Promise<string>;
  /** Resolves to what `fluffy doctor` prints. */
  examine(): Promise<string>;
  /** Writes a file for the maintainers, with the person's text. Resolves to the path. */
  writeFeedback(said: string): Promise<string>;
  /** Whether the person has accepted a command of the project with this digest. */
  isAccepted(digest: string): Promise<boolean>;
  accept(digest: string): Promise<void>;
  /** Sends the typed text, with the text of the command that it calls. */
  call(typed: string, command: CalledCommand): void;
  leave(): void;
}

export type Choice =
  | { readonly kind: 'approve' }
  /** Approves only these files; the others are removed from the change. */
  | { readonly kind: 'approve-files'; readonly paths: readonly string[] }
  | {
      readonly kind: 'reject';
      readonly reason: string;
      /** Files that need not change. */
      readonly accepts?: readonly string[];
      /** The person's own version of files. */
      readonly edits?: readonly EditedFile[];
      /** The person requests tests for the change first. */
      readonly tests?: true;
    };

/** Everything about one command: /help, completion, suggestions and the table in docs/interactive.md are derived from it. */
export interface SlashCommand {
  /** Without its slash. */
  readonly name: string;
  /** Its argument, as people write it; null: none is allowed. An argument is required, unless it is in brackets. */
  readonly argument: string | null;
  readonly help: string;
  /** Its names in other tools: suggested when a person types one of them. */
  readonly synonyms: readonly string[];
  /** What must exist: a kernel, or also a session that has begun. */
  readonly needs: 'nothing' | 'kernel' | 'session';
  /** The typed line stays until the command has run. */
  readonly keepsLine?: true;
  /** Its argument keeps its quotes. */
  readonly keepsQuotes?: true;
  run(argument: string, context: SlashContext): Promise<void> | void;
}

export function usageOf({ name, argument }: SlashCommand): string {
  return argument === null ? `/${name}` : `/${name} ${argument}`;
}
