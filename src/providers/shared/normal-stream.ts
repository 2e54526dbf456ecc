import { Transform, pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { EventLines, EventTooLarge } from './event-lines.ts';
import type { StreamEvent } from './event-lines.ts';
import { UnexpectedAnswer } from './unexpected-answer.ts';

/**
 * The events of a stream in one form, whatever form they came in. Fails with UnexpectedAnswer when an event has no end, and at the end of what holds no event
 * at all. It reads ahead, so that a connection is free for the next request as soon as its answer is over.
 */
export function normalStream(source: Readable, host: string): Readable {
  const lines = new EventLines();
  // It leaves out a byte order mark.
  const decoder = new TextDecoder();
  const events = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(null, written(lines.take(decoder.decode(chunk, { stream: true }))));
      } catch (error) {
        done(error instanceof EventTooLarge ? new UnexpectedAnswer(host, error.message) : asError(error));
      }
    },
    flush(done) {
      const last = written(lines.end());
      done(lines.isForeign ? new UnexpectedAnswer(host, 'a text that is no stream of events') : null, last);
    },
  });
  // What goes wrong reaches whoever reads the events.
  return pipeline(source, events, () => undefined);
}

function written(events: readonly StreamEvent[]): string | undefined {
  if (events.length === 0) return undefined;
  return events.map(({ name, data }) => `${name === null ? '' : `event: ${name}\n`}data: ${data}\n\n`).join('');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
