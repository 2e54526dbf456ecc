import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { errorWords } from './error-body.ts';

/** An answer that no model service gives: a web page, a redirect, one JSON text in place of a stream. A retry would get the same answer. */
export class UnexpectedAnswer extends Error {
  constructor(host: string, what: string) {
    super(`${host} answered with ${what}`);
    this.name = 'UnexpectedAnswer';
  }
}

/** Every field of a stream of events begins with its name and a colon; a comment, with the colon. */
const EVENT_STREAM = /^\uFEFF?[\r\n]*(?:event|data|id|retry)?:/;
const PEEKED_BYTES = 64;
const MAX_JSON_BYTES = 64 * 1024;
/** A proxy on the way may answer with a page of its own: the key is wrong, the request too long, or the service behind it busy. */
const OF_THE_SERVICE = [401, 408, 413, 429];
const LAST_STATUS = 599;
const LOGIN = 'a network that requires a login answers like this until you log in with a web browser';

/**
 * The body of an answer that a model service may give: an error of the service, or a stream of events, of which nothing has been consumed. Throws
 * UnexpectedAnswer for anything else.
 */
export async function modelAnswer(answer: IncomingMessage, body: Readable, host: string): Promise<Readable> {
  const status = answer.statusCode ?? 0;
  const type = (answer.headers['content-type'] ?? '').toLowerCase();
  const known = unexpectedHead(status, type, answer);
  if (known === null && (status >= 400 || type.includes('text/event-stream'))) return body;
  const { start, whole } = known === null ? await peek(body) : { start: '', whole: body };
  const problem = known ?? (await unexpectedStart(status, start, whole));
  if (problem === null) return whole;
  answer.destroy();
  throw new UnexpectedAnswer(host, problem);
}

function unexpectedHead(status: number, type: string, answer: IncomingMessage): string | null {
  if (status >= 300 && status <= 399) return `a redirect (status ${status}) to ${redirectTarget(answer)}; ${LOGIN}`;
  if (status > LAST_STATUS) return `the status ${status}, which does not exist`;
  if (!type.includes('text/html') || status >= 500 || OF_THE_SERVICE.includes(status)) return null;
  if (status === 404) return 'a web page (status 404); the address of the service may be wrong';
  return `a web page (status ${status}); ${LOGIN}`;
}

async function unexpectedStart(status: number, start: string, whole: Readable): Promise<string | null> {
  if (EVENT_STREAM.test(start)) return null;
  if (start.trim() === '') return 'nothing';
  if (start.trimStart().startsWith('<')) return `a web page (status ${status}); ${LOGIN}`;
  const message = start.trimStart().startsWith('{') ? await errorMessage(whole) : null;
  return message === null ? 'a text that is no stream of events' : `an error in place of a stream: ${message}`;
}

/** Only the host: the rest of the address may contain a token. */
function redirectTarget(answer: IncomingMessage): string {
  const location = answer.headers.location ?? '';
  return URL.canParse(location) ? new URL(location).host : 'another address';
}

/** The first bytes as text, and the whole with them. */
async function peek(body: Readable): Promise<{ readonly start: string; readonly whole: Readable }> {
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let seen = Buffer.alloc(0);
  while (seen.length < PEEKED_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    seen = Buffer.concat([seen, next.value]);
  }
  const start = seen.toString('utf8', 0, PEEKED_BYTES);
  const rest = { [Symbol.asyncIterator]: () => chunks };
  return { start, whole: Readable.from(joined(seen, rest)) };
}

async function* joined(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* rest;
}

async function errorMessage(body: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_JSON_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    const { error, message } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Readonly<Record<string, unknown>>;
    return errorWords(error) ?? errorWords(message);
  } catch {
    return null;
  }
}
