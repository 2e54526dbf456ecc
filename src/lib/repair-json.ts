/** Characters that may follow a backslash in JSON. */
const ESCAPES = new Set('"\\/bfnrtu');
/** Regular expressions and programs use these characters after a backslash: there the backslash itself is meant. */
const MEANT_WITH_BACKSLASH = /[A-Za-z0-9.()[\]{}*+?^|\n]/;
const FENCE = '```';
const FOREIGN_WORDS: readonly (readonly [foreign: string, json: string])[] = [
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
];

/**
 * Repairs JSON as models sometimes write it, if the fault has only one interpretation: a code fence around it, a comma before a closing bracket, line
 * breaks and tabs inside a text, a single backslash as in `\d`, words of Python. Truncated or ambiguous text stays unchanged. Pure, in linear time.
 */
export function repairJson(text: string): string {
  const source = withoutFence(text);
  const parts: string[] = [];
  let copied = 0;
  const replace = (at: number, length: number, by: string): void => {
    parts.push(source.slice(copied, at), by);
    copied = at + length;
  };
  let isText = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (character === '"') isText = !isText;
    else if (!isText) {
      if (character === ',' && closesNext(source, at + 1)) replace(at, 1, '');
      const word = FOREIGN_WORDS.find(([foreign]) => source.startsWith(foreign, at));
      if (word === undefined) continue;
      replace(at, word[0].length, word[1]);
      at += word[0].length - 1;
    } else if (character === '\\') {
      const next = source[at + 1] ?? '';
      if (ESCAPES.has(next)) at += 1;
      else if (MEANT_WITH_BACKSLASH.test(next)) replace(at, 1, '\\\\');
    } else if (character < ' ') replace(at, 1, JSON.stringify(character).slice(1, -1));
  }
  parts.push(source.slice(copied));
  return parts.join('');
}

function withoutFence(text: string): string {
  const trimmed = text.trim();
  const lineEnd = trimmed.indexOf('\n');
  const isFenced = trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE) && lineEnd !== -1;
  return isFenced ? trimmed.slice(lineEnd + 1, -FENCE.length) : text;
}

function closesNext(source: string, from: number): boolean {
  let at = from;
  while (/\s/.test(source[at] ?? '')) at += 1;
  return source[at] === '}' || source[at] === ']';
}
