import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

const MAX = 160;

/** What a call does, in a few words: the tool's own, or the input where the event has none. */
export function describeCall(call: { readonly summary?: string | undefined; readonly input: unknown }): SafeText {
  return safeLine(cut(call.summary ?? wordsOf(call.input)));
}

function wordsOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : '';
  if ('path' in input && typeof input.path === 'string') return input.path;
  const json = JSON.stringify(input);
  return json === '{}' ? '' : json;
}

function cut(text: string): string {
  return text.length > MAX ? `${text.slice(0, MAX - 1).toWellFormed()}…` : text;
}
