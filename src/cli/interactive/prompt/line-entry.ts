import { assertNever } from '../../../lib/assert-never.ts';
import { parseLine } from '../../../tui/commands/parse-line.ts';
import { modeAfter } from '../../../tui/commands/modes.ts';
import type { EnteredLine } from '../../../tui/commands/parse-line.ts';
import { commandsOf } from '../../../tui/commands/registry.ts';
import type { SlashCommand } from '../../../tui/commands/slash-command.ts';
import type { Edit } from '../../../tui/composer/composer.ts';
import { wholeText } from '../../../tui/composer/composer.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { LoneWork } from '../session/lone-work.ts';
import { OpenQuestion } from './open-question.ts';
import type { ScreenMessages } from '../screen-messages.ts';
import { slashContext } from './slash-context.ts';
import type { ContextParts } from './slash-context.ts';

export interface LineEntryParts {
  readonly store: ViewStore;
  readonly messages: ScreenMessages;
  readonly edit: (change: Edit) => void;
  readonly isConnected: () => boolean;
  readonly hasSession: () => boolean;
  /** Sends a message to the model, now or when it can be sent. */
  readonly send: (text: string) => void;
  /** What no run goes on beside: scripts and notes of the person. */
  readonly alone: Pick<LoneWork, 'script' | 'note'>;
  /** What commands may do, beside asking the person. */
  readonly actions: Omit<ContextParts, 'store' | 'messages' | 'confirm'>;
}

const STARTING = 'The kernel is still starting. Press Enter again in a moment.';

/** What becomes of a line on Enter: a further line, an answer to a question, a message or a command. */
export class LineEntry {
  readonly #parts: LineEntryParts;
  /** A command waits for a yes or no. */
  readonly #question = new OpenQuestion();
  #isSwitching = false;

  constructor(parts: LineEntryParts) {
    this.#parts = parts;
  }

  submit(): void {
    const { store, edit } = this.#parts;
    const { composer } = store.current;
    if (composer.cursor === composer.text.length && /(?<!\\)(\\\\)*\\$/.test(composer.text)) {
      edit({ kind: 'erase-back' });
      edit({ kind: 'insert', text: '\n' });
      return;
    }
    const text = wholeText(composer);
    if (this.#question.answer(text)) edit({ kind: 'sent' });
    else this.#obey(parseLine(text, commandsOf(store.current)));
  }

  /** An open question is answered with no. */
  refuseQuestion(): void {
    this.#question.refuse();
  }

  /** Shift-Tab. What is typed stays. */
  nextMode(): void {
    const { store, messages, isConnected } = this.#parts;
    const { card, run, mode } = store.current;
    if (this.#isSwitching) return;
    if (!isConnected()) return messages.hint('The kernel is still starting. Press Shift-Tab again in a moment.');
    if (card !== null) return messages.hint('A review waits. The mode can be changed when it is decided.');
    if (run.kind === 'running') return messages.hint('A run is under way. The mode can be changed when it is done.');
    this.#isSwitching = true;
    void this.#carryOut(modeAfter(mode), '').finally(() => {
      this.#isSwitching = false;
    });
  }

  #obey(line: EnteredLine): void {
    const { edit, send, messages } = this.#parts;
    switch (line.kind) {
      case 'nothing':
        return;
      case 'message':
        edit({ kind: 'sent' });
        send(line.text);
        return;
      case 'script':
        this.#alone(() => this.#parts.alone.script(line.script));
        return;
      case 'note':
        this.#alone(() => this.#parts.alone.note(line.text));
        return;
      case 'unknown':
        messages.hint(`There is no ${line.word}. ${line.suggestion} A blank before the / sends it as text.`);
        return;
      case 'misused':
        messages.hint(`It is written ${line.usage}`);
        return;
      case 'command':
        this.#run(line.command, line.argument);
        return;
      default:
        assertNever(line);
    }
  }

  /** Not beside a run, which may write the same files. */
  #alone(begin: () => void): void {
    const { store, messages, edit, isConnected } = this.#parts;
    if (!isConnected()) return messages.hint(STARTING);
    if (store.current.run.kind === 'running')
      return messages.hint('A run is under way. Press Enter again when it is done.');
    edit({ kind: 'sent' });
    begin();
  }

  #run(command: SlashCommand, argument: string): void {
    const { messages, edit, isConnected, hasSession } = this.#parts;
    if (command.needs !== 'nothing' && !isConnected()) return messages.hint(STARTING);
    if (command.keepsLine !== true) edit({ kind: 'sent' });
    if (command.needs === 'session' && !hasSession()) {
      messages.answer('There is no session yet. Type a task to begin one.');
      return;
    }
    void this.#carryOut(command, argument);
  }

  /** Never rejects. No await before it: the synchronous part of a command is done when this returns. */
  async #carryOut(command: SlashCommand, argument: string): Promise<void> {
    const { store, messages, actions } = this.#parts;
    const context = slashContext({ ...actions, store, messages, confirm: (question) => this.#confirm(question) });
    try {
      await command.run(argument, context);
    } catch (error) {
      messages.failed(error);
    }
  }

  #confirm(question: string): Promise<boolean> {
    const answer = this.#question.ask();
    this.#parts.messages.warn(`${question} Type y and Enter; anything else is a no.`);
    return answer;
  }
}
