const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * The wait before the next attempt, in milliseconds. `failures` counts from 1. The delay doubles, and half of it is random, so that clients refused
 * together do not return together. The server's request can only make it longer: a server that says 0 is not asked in a loop. `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30));
  const backoff = Math.round(ceiling / 2 + (ceiling / 2) * random);
  if (retryAfterMs === null) return backoff;
  return Math.max(backoff, retryAfterMs + Math.round(Math.min(backoff, retryAfterMs / 10)));
}

/** Reads `retry-after-ms`, or else `retry-after` (seconds or a date). null if both are missing or invalid. */
export function readRetryAfterMs(header: (name: string) => string | null, nowMs: number): number | null {
  const exact = header('retry-after-ms');
  if (exact !== null && /^\d+(?:\.\d+)?$/.test(exact)) return Math.ceil(Number(exact));
  const text = header('retry-after');
  if (text === null) return null;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
