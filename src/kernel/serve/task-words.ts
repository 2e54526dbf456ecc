import type { CalledCommand } from '../../contracts/session/called-command.ts';

/** The task that begins with this message. Texts of the user's own commands count as the user's words. */
export function taskOf(text: string, commands: readonly CalledCommand[] = []): string {
  return [text, ...commands.filter(({ of }) => of === 'user').map((command) => command.text)].join('\n');
}
