import { MAX_COMMAND_TEXT } from '../../contracts/session/called-command.ts';
import type { CalledCommand } from '../../contracts/session/called-command.ts';
import { argumentWords } from './argument-words.ts';
import type { SlashCommand } from './slash-command.ts';

/** A command that the user or the project has written as a Markdown file. */
export interface CommandFile {
  readonly name: string;
  readonly of: CalledCommand['of'];
  readonly description: string;
  /** As people write it; null: nothing may follow. */
  readonly argument: string | null;
  /** What the model reads, with places for the arguments. */
  readonly body: string;
  /** SHA-256 of name and text: what a yes is about. */
  readonly digest: string;
}

/** A command whose text goes to the model. One of the project's is shown before its first use, and runs only after a yes. */
export function ownCommand(file: CommandFile): SlashCommand {
  return {
    name: file.name,
    argument: file.argument,
    help: file.of === 'user' ? file.description : `of the project: ${file.description}`,
    synonyms: [],
    needs: 'nothing',
    keepsQuotes: true,
    run: async (argument, context) => {
      const text = fillIn(file.body, argument);
      if (text === null) {
        context.answer(
          `/${file.name} was not used: with its arguments, the text has more than ${MAX_COMMAND_TEXT} characters. Shorten the arguments, or name a file that contains them.`,
        );
        return;
      }
      if (file.of === 'project' && !(await context.isAccepted(file.digest))) {
        context.answer(file.body);
        if (!(await context.confirm(`This text of the project goes to the model. Use it as /${file.name}?`))) {
          context.note(`/${file.name} was not used.`);
          return;
        }
        await context.accept(file.digest);
      }
      context.call(`/${file.name} ${argument}`.trim(), { name: file.name, of: file.of, text });
    },
  };
}

export const PLACES = /\$(?:ARGUMENTS\b|([1-9]))/g;

/** `$ARGUMENTS` is all that was typed, `$1` to `$9` its words; a word in quotes is one. What is filled in is not read again. Null where it becomes longer than a command's text may be. Pure. */
export function fillIn(body: string, argument: string): string | null {
  const words = argumentWords(argument);
  let left = MAX_COMMAND_TEXT - body.length;
  const filled = body.replace(PLACES, (place, digit: string | undefined) => {
    if (left < 0) return '';
    const value = digit === undefined ? argument : (words[Number(digit) - 1] ?? '');
    left -= value.length - place.length;
    return value;
  });
  return left < 0 ? null : filled;
}
