/**
 * What is written around the place of a compiler error, in a language with braces and semicolons. All functions read code in which comments and literals are
 * blank.
 */

interface Group {
  readonly open: number;
  close: number;
  readonly bracket: string;
  readonly around: Group | null;
  readonly inside: Group[];
  /** Semicolons directly in it. */
  readonly ends: number[];
}

/** A name that a text gives to a value, and the text that the value is made of. */
export interface Binding {
  readonly names: readonly string[];
  readonly from: string;
}

const FIELDS = /^\s*(?:\w+\s*(?::(?!:)|[,}])|\.\.)/;

export const namesIn = (text: string): string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

/** `names`, and those that are bound to values made of them. */
export function withBound(names: ReadonlySet<string>, bindings: readonly Binding[]): ReadonlySet<string> {
  const known = new Set(names);
  let size: number;
  do {
    ({ size } = known);
    for (const { names: bound, from } of bindings)
      if (namesIn(from).some((name) => known.has(name))) for (const name of bound) known.add(name);
  } while (known.size > size);
  return known;
}

/** The statement at an offset: also the head of a block, without the block. */
export function statementAt(code: string, offset: number): string {
  let group = groupAt(code, offset);
  while (group.around !== null && isPartOfStatement(code, group)) group = group.around;
  return code.slice(...boundsIn(code, group, offset));
}

/** What is written before the innermost braces around an offset: `for (…)`, `class A implements B`, `new B()`. */
export function headAround(code: string, offset: number): string {
  let group = groupAt(code, offset);
  while (group.around !== null && group.bracket !== '{') group = group.around;
  return group.around === null ? '' : code.slice(boundsIn(code, group.around, group.open)[0], group.open);
}

/** The last block that ends before an offset, as that of `try` before `catch`. */
export function blockBefore(code: string, offset: number): string {
  const block = groupAt(code, offset).inside.findLast(({ bracket, close }) => bracket === '{' && close < offset);
  return block === undefined ? '' : code.slice(block.open, block.close);
}

/** What a member is asked of: `Prices.of()` of `Prices.of().get()` at its second dot. */
export function receiverBefore(code: string, dot: number): string {
  let start = dot;
  let isName = false;
  for (;;) {
    const before = code.slice(0, start).trimEnd();
    const [part = ''] = /(?:\w+|[)\]]|\.|::)$/.exec(before) ?? [];
    if (part === '' || (isName && !/[.:]/.test(part))) return code.slice(start, dot);
    isName = /\w/.test(part);
    const isClosed = part === ')' || part === ']';
    const begin = isClosed ? groupAt(code, before.length - 1).open : before.length - part.length;
    // Of a bracket that nothing opens.
    if (begin < 0) return code.slice(0, dot);
    start = begin;
  }
}

function groupAt(code: string, offset: number): Group {
  let group = groupsOf(code);
  for (;;) {
    const inner = group.inside.find(({ open, close }) => open < offset && offset <= close);
    if (inner === undefined) return group;
    group = inner;
  }
}

function groupsOf(code: string): Group {
  const all = newGroup(-1, '{', null, code.length);
  let group = all;
  for (const { 0: sign, index } of code.matchAll(/[()[\]{};]/g)) {
    if (sign === ';') group.ends.push(index);
    else if (/[)\]}]/.test(sign)) {
      group.close = index;
      group = group.around ?? group;
    } else {
      const inner = newGroup(index, sign, group, code.length);
      group.inside.push(inner);
      group = inner;
    }
  }
  return all;
}

function newGroup(open: number, bracket: string, around: Group | null, close: number): Group {
  return { open, close, bracket, around, inside: [], ends: [] };
}

/** Parentheses, braces in them without a statement, and braces around the fields of a value. */
function isPartOfStatement(code: string, { open, bracket, around, ends }: Group): boolean {
  if (bracket !== '{') return true;
  return ends.length === 0 && (around?.bracket !== '{' || FIELDS.test(code.slice(open + 1)));
}

function boundsIn(code: string, { open, close, inside, ends }: Group, offset: number): [number, number] {
  const blocks = inside.filter((each) => !isPartOfStatement(code, each));
  const before = [open, ...ends, ...blocks.map((each) => each.close)].filter((end) => end < offset);
  const after = [close, ...ends, ...blocks.map((each) => each.open)].filter((end) => end >= offset);
  return [Math.max(...before) + 1, Math.min(...after)];
}
