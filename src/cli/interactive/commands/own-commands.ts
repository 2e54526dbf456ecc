import type { CalledCommand } from '../../../contracts/session/called-command.ts';
import { ownCommand } from '../../../tui/commands/own-command.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { AcceptedCommands } from './accepted-commands.ts';
import type { FoundCommands } from './find-command-files.ts';

/** What a conversation has of the commands that people and projects write. */
export interface CommandSource extends AcceptedCommands {
  find(): Promise<FoundCommands>;
}

interface OwnCommandsParts {
  readonly store: ViewStore;
  readonly source: CommandSource;
  readonly warn: (text: string) => void;
  readonly send: (text: string) => void;
}

/** Named on the screen. */
const MAX_PROBLEMS = 5;

/** Commands of the person's and the project's own: found, offered, and sent with what they say. */
export class OwnCommands {
  readonly #parts: OwnCommandsParts;
  /** Reported already. */
  readonly #problems = new Set<string>();
  /** Texts of commands that were entered and not sent yet, by what was typed. */
  readonly #called = new Map<string, CalledCommand>();

  constructor(parts: OwnCommandsParts) {
    this.#parts = parts;
  }

  /** Reads the folders, also again: files may have changed. */
  async load(): Promise<void> {
    const { store, source, warn } = this.#parts;
    const { files, problems } = await source.find();
    store.dispatch({ kind: 'own-commands', commands: files.map(ownCommand) });
    for (const problem of problems.slice(0, MAX_PROBLEMS).filter((each) => !this.#problems.has(each))) {
      this.#problems.add(problem);
      warn(problem);
    }
  }

  /** A menu that opens shows what is there now. */
  typed(text: string): void {
    if (text === '/') void this.load();
  }

  call(typed: string, command: CalledCommand): void {
    this.#called.set(typed, command);
    this.#parts.send(typed);
  }

  /** The commands that a message calls: it may be several that waited, a line each. */
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
