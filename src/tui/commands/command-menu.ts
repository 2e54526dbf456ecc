import type { SlashCommand } from './slash-command.ts';

/** The commands that the typed text can become: those that begin with it, then those with such a synonym. */
export function fittingCommands(text: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const word = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return [];
  const begin = commands.filter(({ name }) => name.startsWith(word));
  const others = commands.filter(
    (command) => word !== '' && !begin.includes(command) && command.synonyms.some((each) => each.startsWith(word)),
  );
  return [...begin, ...others];
}
