import { parseJson } from './parse-json.ts';

/** Each alternative ends at the text's end where its own end is missing: what was read once is not read again from its next character on. */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;
const STRING_OR_LAST_COMMA = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|,(?=\s*[}\]])/g;

/** A value of JSON with comments and commas behind the last entry; undefined for a text that is none. Takes time by the length of any text. Pure. */
export function parseJsonc(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : ' '))
    .replace(STRING_OR_LAST_COMMA, (found) => (found === ',' ? '' : found));
  return parseJson(plain);
}
