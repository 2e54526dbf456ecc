import type { EventOf } from '../../contracts/session/events.ts';
import { capText } from './cap-text.ts';

/** How a tool call is worded for people, wherever it is shown. All of it may be anybody's text: whoever prints it escapes it. */

type Started = EventOf<'tool.started'>;
type Finished = EventOf<'tool.finished'>;

const MAX_CALL = 160;
const MAX_OUTCOME = 200;

/** What a call is about: the words of the tool itself, or its input where a tool has none. */
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

/** How a call ended: of an error people read what it is; the model gets the whole message with what to do about it. A colon ends no sentence: the reason follows it. */
export function outcomeWords({ summary, error }: Pick<Finished, 'summary' | 'error'>): string {
  return capText(error === undefined ? summary : `${error.code}: ${firstSentence(error.message)}`, MAX_OUTCOME);
}

function firstSentence(text: string): string {
  return (/^.*?[.;](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/\s*\n\s*/g, ' ');
}
