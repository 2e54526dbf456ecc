/** Maximum pause after the end of an answer: token counts may still come, but some servers keep the connection open. */
const REST_MS = 5_000;

/**
 * The parts of a stream. After the answer has ended it waits for each further part only a short time. Throws what the
 * stream throws. The caller has to close the connection.
 */
export async function* withoutLongRest<Part>(
  stream: AsyncIterable<Part>,
  hasEnded: () => boolean,
): AsyncGenerator<Part, void> {
  const parts = stream[Symbol.asyncIterator]();
  for (;;) {
    const next = parts.next();
    const part = hasEnded() ? await withinRest(next) : await next;
    if (part === null || part.done === true) return;
    yield part.value;
  }
}

/** null if nothing comes in time. */
async function withinRest<T>(next: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), REST_MS);
  try {
    return await Promise.race([next, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
