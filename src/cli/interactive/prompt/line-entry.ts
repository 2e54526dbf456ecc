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
  /** Keeps a line until the kernel is ready. */
  readonly hold: (line: string) => void;
  /** Sends a message to the model, at once or as soon as possible. */
  readonly send: (text: string) => void;
  /** Scripts and notes of the person, during which no run can continue. */
  readonly alone: Pick<LoneWork, 'script' | 'note'>;
  /** The actions of commands, apart from asking the person. */
  readonly actions: Omit<ContextParts, 'store' | 'messages' | 'confirm' | 'typed'>;
}

/** What a line means on Enter: a further line, an answer to a question, a message or a command. */
export class LineEntry {
  readonly #parts: LineEntryParts;
  /** The open yes or no question of a command. */
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
    else void this.#obey(text, () => edit({ kind: 'sent' }));
  }

  /** Handles a line that waited for the kernel. Resolves when it has run; never rejects. */
  obey(line: string): Promise<void> {
    return this.#obey(line, () => undefined);
  }

  /** Answers an open question with no. */
  refuseQuestion(): void {
    this.#question.refuse();
  }

  /** Shift-Tab. The typed text stays. */
  nextMode(): void {
    const { store, messages, isConnected } = this.#parts;
    const { card, run, mode } = store.current;
    if (this.#isSwitching) return;
    if (!isConnected()) return messages.hint('The kernel is still starting. Press Shift-Tab again in a moment.');
    if (card !== null) return messages.hint('A review waits. The mode can be changed when it is decided.');
    if (run.kind === 'running')
      return messages.hint(
        `A run ${run.interrupting ? 'is stopping' : 'is under way'}. The mode can be changed when it is done.`,
      );
    this.#isSwitching = true;
    void this.#runCommand(modeAfter(mode), '').finally(() => {
      this.#isSwitching = false;
    });
  }

  async #obey(text: string, sent: () => void): Promise<void> {
    const { send, messages, store, hold, isConnected } = this.#parts;
    const line = parseLine(text, commandsOf(store.current));
    if (!isConnected() && needsKernel(line)) {
      sent();
      hold(text);
      return;
    }
    switch (line.kind) {
      case 'nothing':
        return;
      case 'message':
        sent();
        send(line.text);
        return;
      case 'script':
        this.#alone(sent, () => this.#parts.alone.script(line.script));
        return;
      case 'note':
        this.#alone(sent, () => this.#parts.alone.note(line.text));
        return;
      case 'unknown':
        messages.hint(`There is no ${line.word}. ${line.suggestion} A blank before the / sends it as text.`);
        return;
      case 'misused':
        messages.hint(`It is written ${line.usage}`);
        return;
      case 'command':
        await this.#run(line.command, line.argument, sent);
        return;
      default:
        assertNever(line);
    }
  }

  /** Refused during a run, which may write the same files. */
  #alone(sent: () => void, begin: () => void): void {
    const { store, messages } = this.#parts;
    const { run } = store.current;
    if (run.kind === 'running')
      return messages.hint(
        `A run ${run.interrupting ? 'is stopping' : 'is under way'}. Press Enter again when it is done.`,
      );
    sent();
    begin();
  }

  async #run(command: SlashCommand, argument: string, sent: () => void): Promise<void> {
    const { messages, hasSession } = this.#parts;
    if (command.keepsLine !== true) sent();
    if (command.needs === 'session' && !hasSession()) {
      messages.answer('There is no session yet. Type a task to start one.');
      return;
    }
    await this.#runCommand(command, argument, `/${command.name} ${argument}`.trimEnd());
  }

  /** Never rejects. No await before it: the synchronous part of a command is done when this returns. */
  async #runCommand(command: SlashCommand, argument: string, typed: string | null = null): Promise<void> {
    const { store, messages, actions } = this.#parts;
    const confirm = (question: string) => this.#confirm(question);
    const context = slashContext({ ...actions, store, messages, confirm, typed });
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

/** A decision concerns what is on the screen, so it never waits. */
function needsKernel(line: EnteredLine): boolean {
  if (line.kind === 'command') return line.command.needs !== 'nothing' && line.command.keepsLine !== true;
  return line.kind === 'script' || line.kind === 'note';
}
