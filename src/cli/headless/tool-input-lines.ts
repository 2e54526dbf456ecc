import type { EventOf } from '../../contracts/session/events.ts';

const MAX_LINES = 200;
const INDENT = '    ';

/**
 * The input of a call for `--verbose`, without what `words` already says: a row for each field, the lines of a longer text below its name. Untrusted
 * text.
 */
export function toolInputLines({ input }: Pick<EventOf<'tool.started'>, 'input'>, words: string): readonly string[] {
  if (typeof input !== 'object' || input === null || JSON.stringify(input) === words) return [];
  const lines = Object.entries(input).flatMap(([name, value]) => fieldLines(name, value, words));
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `${INDENT}… ${more} more lines`] : lines;
}

function fieldLines(name: string, value: unknown, words: string): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === words) return [];
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length === 1) return [`${INDENT}${name}: ${lines[0] ?? ''}`];
  return [`${INDENT}${name}:`, ...lines.map((line) => `${INDENT}  ${line}`)];
}
