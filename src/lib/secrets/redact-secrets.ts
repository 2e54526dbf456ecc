import { SECRET_PATTERNS, SECRET_PREFIXES } from './secret-rules.ts';
import type { SecretPattern, SecretPrefix } from './secret-rules.ts';

export interface Redacted {
  readonly text: string;
  /** Names of the rules that matched. */
  readonly redacted: readonly string[];
}

/** A range of a text; `end` is excluded. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const TOKEN_CHARACTER = /[A-Za-z0-9_\-+/=.]/;
const WORD_CHARACTER = /[A-Za-z0-9]/;

/** Replaces everything that has the form of a known secret: those of `more`, and the built-in ones. Linear in the length of the text. */
export function redactSecrets(text: string, more: readonly SecretPrefix[]): Redacted {
  const redacted = new Set<string>();
  let result = text;
  const replace = (found: readonly Found[]) => {
    let from = 0;
    let out = '';
    for (const { start, end, name } of found) {
      out += `${result.slice(from, start)}[redacted: ${name}]`;
      redacted.add(name);
      from = end;
    }
    if (from > 0) result = out + result.slice(from);
  };
  replace(privateKeys(result));
  for (const prefix of more) replace(withPrefix(result, prefix));
  for (const prefix of SECRET_PREFIXES) replace(withPrefix(result, prefix).filter((found) => isMixed(result, found)));
  for (const pattern of SECRET_PATTERNS) replace(withPattern(result, pattern));
  return { text: result, redacted: [...redacted] };
}

function withPrefix(text: string, { name, prefix, minLength }: SecretPrefix): Found[] {
  const found: Found[] = [];
  for (let start = text.indexOf(prefix); start !== -1;) {
    let end = start + prefix.length;
    while (end < text.length && TOKEN_CHARACTER.test(text.charAt(end))) end += 1;
    if (beginsWord(text, start) && end - start >= minLength) found.push({ start, end, name });
    start = text.indexOf(prefix, end);
  }
  return found;
}

/** Tokens are random: they contain a digit, or letters of both cases. Names made of words contain neither. */
function isMixed(text: string, { start, end }: Found): boolean {
  const body = text.slice(start, end).replace(/^[A-Za-z]*[-_.]/, '');
  return /[0-9]/.test(body) || (/[A-Z]/.test(body) && /[a-z]/.test(body) && !/[-_./]/.test(body));
}

function withPattern(text: string, { name, keyword, pattern }: SecretPattern): Found[] {
  const found: Found[] = [];
  const sticky = new RegExp(pattern);
  for (let at = text.indexOf(keyword); at !== -1;) {
    sticky.lastIndex = at;
    const match = beginsWord(text, at) || !WORD_CHARACTER.test(keyword.charAt(0)) ? sticky.exec(text) : null;
    const range = match?.indices?.groups?.['secret'] ?? match?.indices?.[0];
    if (range !== undefined) found.push({ start: range[0], end: range[1], name });
    at = text.indexOf(keyword, range?.[1] ?? at + keyword.length);
  }
  return found;
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || !WORD_CHARACTER.test(text.charAt(at - 1));
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const HEADER = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** Characters between the first and the last line of a key, in the lines of a file or in an escaped text on one line. */
const KEY_CHARACTER = /[A-Za-z0-9+/=\s\\,:"'-]/;

/** Private keys in PEM form. A truncated key, for example in a read of some lines, is hidden as far as its characters go. */
function privateKeys(text: string): Found[] {
  const found: Found[] = [];
  for (let start = text.indexOf(BEGIN); start !== -1;) {
    HEADER.lastIndex = start;
    const header = HEADER.exec(text);
    let end = start + BEGIN.length;
    if (header !== null) {
      end = start + header[0].length;
      while (end < text.length && KEY_CHARACTER.test(text.charAt(end)) && !text.startsWith(END, end)) end += 1;
      if (text.startsWith(END, end)) {
        const close = text.indexOf('-----', end + END.length);
        if (close !== -1 && close - end < 100) end = close + 5;
      }
      found.push({ start, end, name: 'private key' });
    }
    start = text.indexOf(BEGIN, end);
  }
  return found;
}
