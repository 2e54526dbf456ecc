import { parseJson } from '../../../lib/parse-json.ts';
import { sourceTokens } from './source-tokens.ts';

/** A value of JSON with comments and commas at the end of lists; undefined for a text that is none. */
export function parseJsonc(text: string): unknown {
  const tokens = sourceTokens(text);
  const kept = tokens.filter((token, index) => {
    const next = tokens[index + 1];
    return !(token.kind === 'mark' && token.value === ',' && next?.kind === 'mark' && /[}\]]/.test(next.value));
  });
  return parseJson(kept.map(({ kind, value }) => (kind === 'string' ? JSON.stringify(value) : value)).join(''));
}
