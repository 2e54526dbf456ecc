import type { EventOf } from '../../contracts/session/events.ts';
import { capText } from './cap-text.ts';

/** The text that describes a tool call for people, wherever it is shown. It may contain untrusted text: code that prints it must escape it. */

type Started = EventOf<'tool.started'>;
type Finished = EventOf<'tool.finished'>;

const MAX_CALL = 160;
const MAX_OUTCOME = 200;

/** The subject of a call: the tool's own words, or its input if the tool has none. */
export function callWords({ summary, input }: Pick<Started, 'summary' | 'input'>): string {
  return capText(summary ?? inputWords(input), MAX_CALL);
}

function inputWords(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  if ('path' in input && typeof input.path === 'string') return input.path;
  const json = JSON.stringify(input);
  return json === '{}' ? '' : json;
}

/**
 * How a call ended. People read only the first sentence of an error; the model gets the whole message with what to do. A colon ends no sentence,
 * because the reason follows it.
 */
export function outcomeWords({ summary, error }: Pick<Finished, 'summary' | 'error'>): string {
  return capText(error === undefined ? summary : `${error.code}: ${firstSentence(error.message)}`, MAX_OUTCOME);
}

function firstSentence(text: string): string {
  return (/^.*?[.;](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/\s*\n\s*/g, ' ');
}
