import { parseJson } from './parse-json.ts';

/** Each alternative also ends at the text's end if its own end is missing, so that no part is scanned again from each of its characters. */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;
const STRING_OR_LAST_COMMA = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|,(?=\s*[}\]])/g;

/** The value of JSON with comments and trailing commas; undefined if the text is invalid. Linear in the length of any text. Pure. */
export function parseJsonc(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : ' '))
    .replace(STRING_OR_LAST_COMMA, (found) => (found === ',' ? '' : found));
  return parseJson(plain);
}
