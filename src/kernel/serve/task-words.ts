import type { CalledCommand } from '../../contracts/session/called-command.ts';

/** The task that begins with this message. What the user's own commands say, the user says. */
export function taskOf(text: string, commands: readonly CalledCommand[] = []): string {
  return [text, ...commands.filter(({ of }) => of === 'user').map((command) => command.text)].join('\n');
}
