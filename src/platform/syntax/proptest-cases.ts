import type { SyntaxNode } from '../../contracts/ports/syntax.ts';
import type { Building } from './plain-tree.ts';

/** Parses a text that is as long as the whole file; null if it has errors or cannot be parsed. */
type Parse = (text: string) => Building | null;

/** A parameter of a case: `a in 0..10`. Offsets of `in`, and of the strategy after it. */
interface Drawn {
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Gives the cases of `proptest! { #[test] fn adds(a in 0..10) { … } }` nodes of their own, in place of the tokens of the macro: items as they are outside of a
 * macro, whose parameters have the strategy where others have a type. Each macro that has another form keeps its tokens.
 */
export function readProptestCases(root: Building, text: string, parse: Parse): void {
  for (const tokens of proptestMacros(root, text)) {
    const drawn = parameterLists(tokens, text).flatMap((list) => drawnIn(list, text));
    const [first, last] = [tokens.children[0], tokens.children.at(-1)];
    if (first === undefined || last === undefined) continue;
    const items = parse(itemsText(text, first.end, last.start, drawn));
    const strategies = items === null ? null : parse(strategiesText(text, drawn));
    if (items === null || strategies === null) continue;
    if (drawn.length > 0 && !placeStrategies(items, strategies, drawn)) continue;
    for (const item of items.children) item.parent = tokens;
    tokens.children = [first, ...items.children, last];
  }
}

function proptestMacros(root: Building, text: string): readonly Building[] {
  return all(root).flatMap((node) => {
    if (node.kind !== 'macro_invocation') return [];
    const [macro, , tokens] = node.children;
    const isProptest = macro !== undefined && /^(?:proptest::)?proptest$/.test(text.slice(macro.start, macro.end));
    return isProptest && tokens !== undefined && text[tokens.start] === '{' ? [tokens] : [];
  });
}

/** The tokens between the name of a function and its body. */
function parameterLists(tokens: Building, text: string): readonly Building[] {
  return tokens.children.filter(
    (each, index, all) =>
      each.kind === 'token_tree' && text[each.start] === '(' && wordAt(all[index - 2], text) === 'fn',
  );
}

function drawnIn(list: Building, text: string): readonly Drawn[] {
  const parts: SyntaxNode[][] = [[]];
  for (const each of list.children.slice(1, -1)) {
    if (wordAt(each, text) === ',') parts.push([]);
    else parts.at(-1)?.push(each);
  }
  return parts.reduce<readonly Drawn[]>((found, part) => {
    const index = part.findIndex((each) => wordAt(each, text) === 'in');
    const [word, next, last] = [part[index], part[index + 1], part.at(-1)];
    if (word !== undefined && next !== undefined && last !== undefined)
      return [...found, { at: word.start, start: next.start, end: last.end }];
    // A comma of type arguments: `map::<u8, u8>()`.
    const isTyped = wordAt(part[1], text) === ':' || wordAt(part[2], text) === ':';
    const before = found.at(-1);
    return last === undefined || before === undefined || isTyped
      ? found
      : [...found.slice(0, -1), { ...before, end: last.end }];
  }, []);
}

/** Only the items of the macro, with a type in place of each strategy. */
function itemsText(text: string, start: number, end: number, drawn: readonly Drawn[]): string {
  const parts = [blank(text.slice(0, start))];
  let at = start;
  for (const each of drawn) {
    parts.push(text.slice(at, each.at), ':T', blank(text.slice(each.at + 2, each.end)));
    at = each.end;
  }
  return [...parts, text.slice(at, end), blank(text.slice(end))].join('');
}

/** Only the strategies, each as a statement. */
function strategiesText(text: string, drawn: readonly Drawn[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of drawn) {
    parts.push(blank(text.slice(at, start)), text.slice(start, end), ';');
    at = end + 1;
  }
  return [...parts, blank(text.slice(at))].join('');
}

/** Puts each strategy in the place of its parameter's type; false if one is not found. */
function placeStrategies(items: Building, strategies: Building, drawn: readonly Drawn[]): boolean {
  const statements = new Map(strategies.children.map((each) => [each.start, each]));
  const parameters = new Map(
    all(items).flatMap((each) => {
      const colon = each.kind === 'parameter' ? each.children.find(({ kind }) => kind === ':') : undefined;
      return colon === undefined ? [] : [[colon.start, each] as const];
    }),
  );
  return drawn.every(({ at, start, end }) => {
    const statement = statements.get(start);
    const strategy = statement?.kind === 'expression_statement' ? statement.children[0] : statement;
    const parameter = parameters.get(at);
    const type = parameter?.children.at(-1);
    if (strategy === undefined || parameter === undefined || type?.field !== 'type' || strategy.end < end) return false;
    strategy.parent = parameter;
    strategy.field = 'value';
    parameter.children = [...parameter.children.slice(0, -1), strategy];
    parameter.end = strategy.end;
    parameter.endLine = strategy.endLine;
    return true;
  });
}

function all(root: Building): readonly Building[] {
  const found: Building[] = [];
  for (let waiting = [root]; waiting.length > 0; waiting = waiting.flatMap(({ children }) => children))
    found.push(...waiting);
  return found;
}

function wordAt(node: SyntaxNode | undefined, text: string): string {
  return node === undefined ? '' : text.slice(node.start, node.end);
}

/** As long as the text, with its lines. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
