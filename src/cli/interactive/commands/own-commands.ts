import type { CalledCommand } from '../../../contracts/session/called-command.ts';
import { ownCommand } from '../../../tui/commands/own-command.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { AcceptedCommands } from './accepted-commands.ts';
import type { FoundCommands } from './find-command-files.ts';

/** Access to the commands that users and projects write. */
export interface CommandSource extends AcceptedCommands {
  find(): Promise<FoundCommands>;
}

interface OwnCommandsParts {
  readonly store: ViewStore;
  readonly source: CommandSource;
  readonly warn: (text: string) => void;
  readonly send: (text: string) => void;
}

/** Maximum number shown on the screen. */
const MAX_PROBLEMS = 5;

/** Commands of the user and the project: found, offered, and sent with their text. */
export class OwnCommands {
  readonly #parts: OwnCommandsParts;
  /** Problems that were already reported. */
  readonly #problems = new Set<string>();
  /** Texts of commands that were entered and not sent yet, by what was typed. */
  readonly #called = new Map<string, CalledCommand>();

  constructor(parts: OwnCommandsParts) {
    this.#parts = parts;
  }

  /** Reads the folders; called again because files may have changed. */
  async load(): Promise<void> {
    const { store, source, warn } = this.#parts;
    const { files, problems } = await source.find();
    store.dispatch({ kind: 'own-commands', commands: files.map(ownCommand) });
    for (const problem of problems.slice(0, MAX_PROBLEMS).filter((each) => !this.#problems.has(each))) {
      this.#problems.add(problem);
      warn(problem);
    }
  }

  /** Reads the folders again when a menu opens. */
  typed(text: string): void {
    if (text === '/') void this.load();
  }

  call(typed: string, command: CalledCommand): void {
    this.#called.set(typed, command);
    this.#parts.send(typed);
  }

  /** The commands that a message calls; queued messages may contain several, one a line. */
  calledIn(message: string): readonly CalledCommand[] {
    const lines = `\n${message}\n`;
    const typed = [...this.#called.keys()].filter((each) => lines.includes(`\n${each}\n`));
    return typed.flatMap((each) => {
      const command = this.#called.get(each);
      this.#called.delete(each);
      return command === undefined ? [] : [command];
    });
  }
}
