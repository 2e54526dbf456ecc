import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

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
/** A proxy may answer with a page of its own if the service behind it is busy or down. */
const TEMPORARY = [408, 429];
const LOGIN = 'a network that requires a login answers like this until you log in with a web browser';

/**
 * Resolves if an answer is one that a model service may give: an error of the service, or a stream of events, of which nothing has been consumed.
 * Throws UnexpectedAnswer for anything else.
 */
export async function expectModelAnswer(answer: IncomingMessage, host: string): Promise<void> {
  const problem = await unexpectedPart(answer);
  if (problem === null) return;
  answer.destroy();
  throw new UnexpectedAnswer(host, problem);
}

async function unexpectedPart(answer: IncomingMessage): Promise<string | null> {
  const status = answer.statusCode ?? 0;
  const type = (answer.headers['content-type'] ?? '').toLowerCase();
  if (status >= 300 && status <= 399) return `a redirect (status ${status}) to ${redirectTarget(answer)}; ${LOGIN}`;
  const isPage = type.includes('text/html');
  if (status >= 500 || TEMPORARY.includes(status)) return null;
  if (isPage) return `a web page (status ${status}); ${LOGIN}`;
  if (status >= 400 || type.includes('text/event-stream')) return null;
  const start = await peek(answer, PEEKED_BYTES);
  if (EVENT_STREAM.test(start)) return null;
  if (start.trim() === '') return 'nothing';
  if (start.trimStart().startsWith('<')) return `a web page (status ${status}); ${LOGIN}`;
  const message = start.trimStart().startsWith('{') ? await errorMessage(answer) : null;
  return message === null ? 'a text that is no stream of events' : `an error in place of a stream: ${message}`;
}

/** Only the host: the rest of the address may contain a token. */
function redirectTarget(answer: IncomingMessage): string {
  const location = answer.headers.location ?? '';
  return URL.canParse(location) ? new URL(location).host : 'another address';
}

/** The first bytes as text. They stay in the answer, unless the whole answer was shorter. */
async function peek(answer: IncomingMessage, bytes: number): Promise<string> {
  let seen = Buffer.alloc(0);
  while (seen.length < bytes && !answer.readableEnded) {
    const chunk = answer.read() as Buffer | null;
    if (chunk !== null) seen = Buffer.concat([seen, chunk]);
    else if (answer.complete && answer.readableLength === 0) break;
    else await once(answer, 'readable');
  }
  if (!answer.readableEnded && seen.length > 0) answer.unshift(seen);
  return seen.toString('utf8', 0, bytes);
}

async function errorMessage(answer: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_JSON_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const error = member(body, 'error');
    const message = member(error, 'message') ?? error ?? member(body, 'message');
    return typeof message === 'string' && message !== '' ? message : null;
  } catch {
    return null;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
