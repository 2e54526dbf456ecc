import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';

const MAX_BYTES = 1024 * 1024;
const MAX_READ_MS = 10_000;
const MAX_WORDS = 2_000;
/** Of the fields that may hold a message: in the order in which they are looked for. */
const FIELDS = ['message', 'Message', 'msg', 'detail', 'error', 'errors'];
const MAX_DEPTH = 5;

/** Pure: what an error says to people, wherever in its body a service puts that; null if there are no words. */
export function errorWords(body: unknown, depth = 0): string | null {
  if (typeof body === 'string') return body.trim() === '' ? null : body.trim().slice(0, MAX_WORDS);
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return null;
  if (Array.isArray(body)) {
    const words = body.map((each) => errorWords(each, depth + 1)).filter((each) => each !== null);
    return words.length === 0 ? null : words.slice(0, 3).join('; ');
  }
  const fields = body as Readonly<Record<string, unknown>>;
  const found = FIELDS.filter((name) => Object.hasOwn(fields, name)).map((name) => errorWords(fields[name], depth + 1));
  return found.find((words) => words !== null) ?? null;
}

/**
 * Pure: the body of an error in the form that the vendors' libraries read, `{error: {message}}`. Compatible services put their words elsewhere: beside
 * `error`, in its place, in a list, or in a text that is no JSON.
 */
export function normalErrorBody(text: string): string {
  const read = parsed(text);
  const body: unknown = Array.isArray(read) ? read[0] : read;
  const { error, ...fields } = fieldsOf(body);
  const words = (typeof error === 'object' ? errorWords(error) : null) ?? errorWords(body);
  const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
  const message = words === null || isPage ? {} : { message: words };
  return JSON.stringify({ ...fields, error: { ...(error === undefined ? fields : fieldsOf(error)), ...message } });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns the body of an error, at most 1 MiB of it: it may have no end. A body that is cut, or compressed in another way than its headers say, is
 * returned as far as it can be read, because the status and the headers say what the error is.
 */
export async function readErrorText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  const reading = async (): Promise<void> => {
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
    }
  };
  const over = new AbortController();
  try {
    await Promise.race([reading().catch(() => undefined), delay(MAX_READ_MS, undefined, { signal: over.signal })]);
  } finally {
    over.abort();
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');
}
