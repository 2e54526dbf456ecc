import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { partsOf } from './command-parts.ts';
import type { TestPart } from './command-parts.ts';
import { runnerNamed } from './registry.ts';

/**
 * These words come from the project, but the model reads them as text of the kernel. So anything that could be a
 * sentence is left out.
 */
const PLAIN = /^[\w./*?{}()[\],|!@+-]{1,80}$/;
const MAX_NAMES = 6;

/**
 * Returns a short text for the model about how the tests run: the runner, its directory, and the names that it
 * collects.
 */
export function describeCommand(command: TestCommand): string {
  return partsOf(command).map(describePart).join('; ');
}

function describePart(command: TestPart): string {
  const where = PLAIN.test(command.cwd) ? ` in ${command.cwd}` : '';
  const names = describePattern(command);
  return `${command.runner}${where}${names === null ? '' : `, which collects ${names}`}`;
}

/**
 * Returns which names the runner collects, preferring names that the project defines; null if the runner is not
 * supported.
 */
export function describePattern(command: TestCommand): string | null {
  const runner = runnerNamed(command.runner);
  if (runner === null) return null;
  const names = runner.namedBy(command).filter((name) => PLAIN.test(name));
  if (names.length === 0) return runner.pattern;
  return `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`;
}
