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

/** Asks the kernel about the session, which is started if there is none yet. */
export type SessionRequest = <M extends SessionMethod>(
  method: M,
  params: Omit<RequestParams<M>, 'session_id'>,
) => Promise<RequestResult<M>>;

/** What a command works with: the session, and the place where its answer goes. */
export interface SlashContext {
  readonly request: SessionRequest;
  readonly mode: SessionMode;
  /** All commands under their headings, for /help. */
  readonly groups: readonly { readonly title: string; readonly commands: readonly SlashCommand[] }[];
  /** Lines of an answer; the text may be anybody's. */
  answer(text: string): void;
  /** One line about what was typed, until the next key. */
  hint(text: string): void;
  /** One line about what has happened. */
  note(text: string): void;
  /** A unified diff, or text that says why there is none. */
  diff(text: string): void;
  /** Resolves to true only when the person says yes. */
  confirm(question: string): Promise<boolean>;
  /** Keeps a patch on the host. Resolves to its path. */
  keepPatch(patch: string): Promise<string>;
  decide(choice: Choice): void;
  /** Opens files of the review that waits in the person's editor. */
  editReview(paths: readonly string[]): Promise<void>;
  /** Files of the review that waits. */
  reviewFiles(): readonly string[];
  /** Whether its change was made without tests first, so that they can be requested before the merge. */
  testsCanFollow(): boolean;
  /** The review that waited is gone without a decision. */
  reviewDropped(): void;
  /** This commit of the session is no longer there. */
  commitUndone(commit: string): void;
  /** It is there again. */
  commitRedone(commit: string): void;
  /** Another model for this session; the person chooses. */
  pickModel(): Promise<void>;
  chooseModel(model: string): Promise<void>;
  /** As it was typed; empty: say which it is. */
  setEffort(text: string): Promise<void>;
  /** Takes up another session; the person chooses. */
  pickSession(): Promise<void>;
  /** Goes back to an earlier message; the person chooses. */
  pickMessage(): void;
  /** The next message begins a session. */
  startNewSession(): void;
  /** Goes on in a copy of this session. */
  fork(): Promise<void>;
  /** The person chooses, with a preview. */
  pickTheme(): void;
  /** Draws in this theme from now on, and keeps it in the user's configuration. */
  keepTheme(theme: ThemeName): Promise<void>;
  readonly keys: KeyStyle;
  /** What keys with Ctrl or Alt mean. */
  readonly bindings: Bindings;
  /** Reads the keys at the prompt like this from now on, and keeps it in the user's configuration. */
  keepKeys(keys: KeyStyle): Promise<void>;
  /** Writes the session to this file, or to one beside fluffy's own. Resolves to the path. */
  writeExport(file: string | null): Promise<string>;
  /** Resolves to what `fluffy doctor` prints. */
  examine(): Promise<string>;
  /** Writes a file for the maintainers, with these words of the person. Resolves to the path. */
  writeFeedback(said: string): Promise<string>;
  /** Whether the person has said yes to a command of the project with this digest. */
  isAccepted(digest: string): Promise<boolean>;
  accept(digest: string): Promise<void>;
  /** Sends what was typed, with the text of the command that it calls. */
  call(typed: string, command: CalledCommand): void;
  leave(): void;
}

export type Choice =
  | { readonly kind: 'approve' }
  /** Only these files; the others are taken out of the change. */
  | { readonly kind: 'approve-files'; readonly paths: readonly string[] }
  | {
      readonly kind: 'reject';
      readonly reason: string;
      /** Files that need not change. */
      readonly accepts?: readonly string[];
      /** The person's own version of files. */
      readonly edits?: readonly EditedFile[];
      /** Tests for the change come first. */
      readonly tests?: true;
    };

/** Everything that is known of one command: /help, completion, suggestions and the table in docs/interactive.md follow from it. */
export interface SlashCommand {
  /** Without its slash. */
  readonly name: string;
  /** What follows it, as people write it; null: nothing may follow. A command that has one needs it, unless it is written in brackets. */
  readonly argument: string | null;
  readonly help: string;
  /** What other tools call it: suggested to who types that. */
  readonly synonyms: readonly string[];
  /** What has to be there: a kernel to ask, or also a session that has begun. */
  readonly needs: 'nothing' | 'kernel' | 'session';
  /** The typed line stays until the command has run. */
  readonly keepsLine?: true;
  /** Its argument comes with the quotes that are around it. */
  readonly keepsQuotes?: true;
  run(argument: string, context: SlashContext): Promise<void> | void;
}

export function usageOf({ name, argument }: SlashCommand): string {
  return argument === null ? `/${name}` : `/${name} ${argument}`;
}
