import { ownValue } from '../../lib/own-value.ts';
import type { CodeRole, RawPiece } from '../text/span.ts';

/** The highlighter's names for the parts of a text, by the first word of the name. */
const ROLES: Readonly<Record<string, CodeRole>> = {
  keyword: 'keyword',
  built_in: 'type',
  type: 'type',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  subst: 'variable',
  char: 'string',
  symbol: 'number',
  class: 'type',
  title: 'function',
  comment: 'comment',
  doctag: 'comment',
  meta: 'attribute',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  tag: 'keyword',
  name: 'keyword',
  selector: 'keyword',
  section: 'heading',
  link: 'link',
  code: 'code',
  bullet: 'keyword',
  quote: 'comment',
  variable: 'variable',
  addition: 'string',
  deletion: 'number',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const TOKEN = /<span class="([^"]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+/g;

/**
 * The lines of a text from the highlighter's output; null if the output is not the same text. A person decides about the file's content, so colours
 * must not change a character of it.
 */
export function highlightedLines(html: string, text: string): readonly (readonly RawPiece[])[] | null {
  const lines: RawPiece[][] = [[]];
  const open: RawPiece['role'][] = [];
  const add = (raw: string) => {
    const role = open.at(-1) ?? 'plain';
    raw.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== '') append(lines.at(-1) ?? [], { raw: part, role });
    });
  };
  for (const [token, name] of html.matchAll(TOKEN)) {
    if (name !== undefined) open.push(roleOf(name) ?? open.at(-1) ?? 'plain');
    else if (token === '</span>') open.pop();
    else add(ownValue(ENTITIES, token) ?? token);
  }
  const joined = lines.map((line) => line.map(({ raw }) => raw).join('')).join('\n');
  return joined === text ? lines : null;
}

function append(line: RawPiece[], piece: RawPiece): void {
  const last = line.at(-1);
  if (last?.role === piece.role) line[line.length - 1] = { ...last, raw: last.raw + piece.raw };
  else line.push(piece);
}

/** `hljs-title class_` is the name of a class, `hljs-selector-tag` a selector. */
function roleOf(name: string): CodeRole | undefined {
  if (/\bclass_/.test(name)) return 'type';
  return ownValue(ROLES, /^hljs-([a-z_]+)/.exec(name)?.[1] ?? '');
}
