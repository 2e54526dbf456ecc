import type { TestCommand } from '../../contracts/session-protocol.ts';
import { knownAdapter } from './adapters.ts';

/** The project's words, told to a model among the kernel's: what could be prose is left out. */
const PLAIN = /^[\w./*?{}()[\],|!@+-]{1,80}$/;
const MAX_NAMES = 6;

/** How the tests run, in a few words for the model: the runner, where it starts, and under which names it looks for tests if these are the project's own. */
export function describeCommand(command: TestCommand): string {
  const names =
    knownAdapter(command.runner)
      ?.namedBy(command)
      .filter((name) => PLAIN.test(name)) ?? [];
  const where = PLAIN.test(command.cwd) ? ` in ${command.cwd}` : '';
  if (names.length === 0) return `${command.runner}${where}`;
  const more = names.length > MAX_NAMES ? ', …' : '';
  return `${command.runner}${where}, which collects ${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}
