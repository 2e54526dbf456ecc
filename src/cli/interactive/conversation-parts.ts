import type { GivenImage } from '../../contracts/model/image.ts';
import type { RequestResult, SessionOptions } from '../../contracts/session/session-protocol.ts';
import type { KeyStyle } from '../../tui/composer/vim/key-styles.ts';
import type { PickerList } from '../../tui/panel/panel.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';
import type { ThemeName } from '../../tui/text/theme.ts';
import type { ClipboardImage } from '../images/clipboard-image.ts';
import type { HumanChoice, ShownReview } from '../review/decide-review.ts';
import type { CommandSource } from './commands/own-commands.ts';
import type { Edited } from './prompt/edit-elsewhere.ts';
import type { HostModels } from './session/model-switch.ts';
import type { SessionKernel } from './session/session-kernel.ts';

/** How the program ends: `interrupt` and `terminate` end a run in progress. */
export type Leaving = 'quit' | 'interrupt' | 'terminate';

/** What a conversation uses of its host. */
export interface ConversationParts {
  readonly store: ViewStore;
  readonly options: SessionOptions;
  readonly nowMs: () => number;
  /** Milliseconds since the epoch, as in events. */
  readonly calendarMs: () => number;
  readonly after: (ms: number, callback: () => void) => void;
  /** Signs and sends the person's decision about the shown review. */
  readonly decide: (
    kernel: SessionKernel,
    sessionId: string,
    shown: ShownReview,
    choice: HumanChoice,
  ) => Promise<RequestResult<'review.decide'>>;
  /** Opens a text in the person's own editor, in a file of this name. */
  readonly edit: (text: string, name: string) => Promise<Edited>;
  /** Stores an editor's text that cannot be used. Resolves to the file. */
  readonly keepEdit: (name: string, text: string) => Promise<string>;
  /** Stores a patch of dropped work on the host. Resolves to its path. */
  readonly keepPatch: (patch: string) => Promise<string>;
  /** Stores sent messages for later sessions. */
  readonly remember: (text: string) => void;
  /** The project's files, for `@`. */
  readonly listFiles: () => Promise<readonly string[]>;
  /** The commands of the user and the project. */
  readonly commands: CommandSource;
  /** The image in the clipboard, as a file. */
  readonly clipboardImage: () => Promise<ClipboardImage>;
  /** Images outside of the project that a message names. */
  readonly imagesIn: (text: string) => Promise<readonly GivenImage[]>;
  readonly models: HostModels;
  /** Throws FluffyError if a new session cannot use the model, for example without a key. */
  readonly checkModel: (model: string) => Promise<void>;
  /** Sessions of the project that can be resumed, except this one. */
  readonly listSessions: (without: string | null) => Promise<Pick<PickerList, 'entries' | 'first'>>;
  /** Writes a session to a file; null: to a file beside fluffy's own. Resolves to the path. */
  readonly writeExport: (sessionId: string, file: string | null) => Promise<string>;
  /** The output of `fluffy doctor` for this model. */
  readonly examine: (model: string) => Promise<string>;
  /** Writes a file for the maintainers. Resolves to the path. */
  readonly writeFeedback: (given: GivenFeedback) => Promise<string>;
  /** Writes the theme into the user's configuration. Resolves to the file. */
  readonly keepTheme: (theme: ThemeName) => Promise<string>;
  /** Writes the keys of the prompt into the user's configuration. Resolves to the file. */
  readonly saveKeys: (keys: KeyStyle) => Promise<string>;
  /** Scrolls everything on the screen into the scrollback, so that the screen is empty. */
  readonly redraw: () => void;
  readonly onLeave: (how: Leaving) => void;
}

export interface GivenFeedback {
  readonly said: string;
  /** null: no session has begun. */
  readonly sessionId: string | null;
  readonly model: string;
}

/** A session that is resumed at the start; `session` null: the person chooses one. */
export interface Resuming {
  readonly session: string | null;
  readonly fork: boolean;
  /** The session keeps its own model. */
  readonly keepModel: boolean;
}
