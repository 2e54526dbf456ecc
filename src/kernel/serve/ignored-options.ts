import { isDeepStrictEqual } from 'node:util';
import type { SessionOptions } from '../../contracts/session/session-protocol.ts';
import { limitWords } from '../../lib/limit-words.ts';
import type { Session } from '../session/session.ts';

/** A run keeps its options. A person who joins it with other options is informed. */
export function reportIgnoredOptions(session: Session, asked: SessionOptions): void {
  const { model, limits } = session.snapshot.options;
  const ignored = [
    ...(asked.model === model ? [] : [`the model ${asked.model}`]),
    ...(isDeepStrictEqual(asked.limits, limits) ? [] : [`limits of ${limitWords(asked.limits) ?? 'none'}`]),
  ];
  if (ignored.length === 0) return;
  session.emit({
    type: 'notice',
    level: 'warn',
    what: `The current run does not use ${ignored.join(' and ')}`,
    why: `it began with the model ${model} and limits of ${limitWords(limits) ?? 'none'}`,
    fix: 'Send the message again when the run has ended, or interrupt it first',
    code: 'options_ignored',
  });
}
