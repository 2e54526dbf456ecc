import { MAX_COMMAND_TEXT } from '../../contracts/session/called-command.ts';
import type { CalledCommand } from '../../contracts/session/called-command.ts';
import { argumentWords } from './argument-words.ts';
import type { SlashCommand } from './slash-command.ts';

/** A command that the user or the project has written as a Markdown file. */
export interface CommandFile {
  readonly name: string;
  readonly of: CalledCommand['of'];
  readonly description: string;
  /** As people write it; null: no argument is allowed. */
  readonly argument: string | null;
  /** What the model reads, with places for the arguments. */
  readonly body: string;
  /** SHA-256 of name and text, for which a person's yes counts. */
  readonly digest: string;
}

/** A command whose text is sent to the model. A project's command is shown before its first use, and runs only after a yes. */
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

/**
 * Fills in `$ARGUMENTS` with all typed words and `$1` to `$9` with single ones; a quoted text is one word. Filled-in text is not expanded again. null
 * if the result exceeds the maximum of a command's text. Pure.
 */
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
