import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, nodesOf, textOf } from '../syntax/walk.ts';
import type { InspectedFile, SourceText } from './finding.ts';
import { FUNCTIONS } from './names.ts';

/** What gives the code inside of it a place by a name: functions, types, and variables with their values. */
const OWNERS = new Set([
  ...FUNCTIONS,
  ...['class_declaration', 'class_definition', 'class', 'interface_declaration', 'enum_declaration'],
  ...['variable_declarator', 'assignment_expression', 'assignment', 'pair', 'field_definition'],
  ...['var_spec', 'const_spec', 'static_item', 'const_item', 'impl_item', 'mod_item', 'trait_item'],
]);
const NAMED_BY = ['name', 'left', 'key', 'property', 'trait', 'type'];
/** Blanks between the parts of these are part of what they say. */
const TEXTS = /string|template|regex|char|jsx/;

export function* addedNodes(file: InspectedFile): Generator<SyntaxNode> {
  for (const node of nodesOf(file.root)) if (file.isAdded(node)) yield node;
}

/**
 * Pure: whether a node of `now` is new: the function, type or variable that it is in had none before with the same tokens. That the file had them elsewhere, in
 * a text, or in a function that is gone makes nothing old. What is in a declaration that only has another name now is old.
 */
export function additionsOf(now: SourceText, before: SourceText | null): (node: SyntaxNode) => boolean {
  if (before === null) return () => true;
  const shapes = new Map<string, number>();
  const old = placesOf(before, shapes, new Map());
  const places = placesOf(now, shapes, renamed(old, placesOf(now, shapes, new Map())));
  const known = new Set(old.nodes.values());
  return (node) => !known.has(places.nodes.get(node) ?? '');
}

interface Places {
  /** Where each node is and what it says: equal for two nodes that say the same in the same declaration. */
  readonly nodes: ReadonlyMap<SyntaxNode, string>;
  /** What each declaration is apart from its name. */
  readonly owners: ReadonlyMap<string, string>;
}

/** Names of now -> names of before, for declarations of which nothing but the name has changed. */
function renamed(old: Places, now: Places): ReadonlyMap<string, string> {
  const gone = new Map([...old.owners].filter(([path]) => !now.owners.has(path)).map(([path, shape]) => [shape, path]));
  const names = new Map<string, string>();
  for (const [path, shape] of now.owners) {
    const before = old.owners.has(path) ? undefined : gone.get(shape);
    if (before !== undefined) names.set(path, before);
  }
  return names;
}

function placesOf(source: SourceText, shapes: Map<string, number>, names: ReadonlyMap<string, string>): Places {
  const all = [...nodesOf(source.root)];
  const shapeOf = shapesOf(all, source.text, shapes);
  const inside = new Map<SyntaxNode, string>();
  const nodes = new Map<SyntaxNode, string>();
  const owners = new Map<string, string>();
  for (const node of all) {
    const path = (node.parent === null ? undefined : inside.get(node.parent)) ?? '';
    nodes.set(node, `${path}\0${shapeOf(node)}`);
    const name = nameOf(node);
    if (name === null) {
      inside.set(node, path);
      continue;
    }
    const own = `${path}/${textOf(name, source.text)}`;
    inside.set(node, names.get(own) ?? own);
    const rest = node.children.flatMap((child) => (child === name ? [] : [shapeOf(child)]));
    owners.set(own, `${node.kind} ${rest.join(' ')}`);
  }
  return { nodes, owners };
}

function nameOf(node: SyntaxNode): SyntaxNode | null {
  if (!OWNERS.has(node.kind)) return null;
  return NAMED_BY.map((field) => childOf(node, field)).find((child) => child !== null) ?? null;
}

/** One number for all nodes with the same tokens. Children come before what they are in, so each node is looked at once however deep it is. */
function shapesOf(
  all: readonly SyntaxNode[],
  text: string,
  shapes: Map<string, number>,
): (node: SyntaxNode) => number | undefined {
  const known = new Map<SyntaxNode, number>();
  for (const node of all.toReversed()) {
    const key = `${node.kind}\0${partsOf(node, text, known)}`;
    const shape = shapes.get(key) ?? shapes.size;
    shapes.set(key, shape);
    known.set(node, shape);
  }
  return (node) => known.get(node);
}

/** The children of a node, and what is written between them. */
function partsOf(node: SyntaxNode, text: string, known: ReadonlyMap<SyntaxNode, number>): string {
  if (node.children.length === 0) return textOf(node, text);
  const isText = TEXTS.test(node.kind);
  let at = node.start;
  const parts: string[] = [];
  const addGap = (end: number): void => {
    const gap = text.slice(at, end);
    if (gap.trim() !== '' || (isText && gap !== '')) parts.push(isText ? gap : gap.trim());
  };
  for (const child of node.children) {
    addGap(child.start);
    parts.push(`#${known.get(child)}`);
    at = child.end;
  }
  addGap(node.end);
  return parts.join(' ');
}
