import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, nodesOf, textOf } from '../syntax/walk.ts';
import type { InspectedFile, SourceText } from './finding.ts';
import { FUNCTIONS } from './names.ts';

/** Declarations that give their code a named place: functions, types, and variables with their values. */
const OWNERS = new Set([
  ...FUNCTIONS,
  ...['class_declaration', 'class_definition', 'class', 'interface_declaration', 'enum_declaration'],
  ...['variable_declarator', 'assignment_expression', 'assignment', 'pair', 'field_definition'],
  ...['var_spec', 'const_spec', 'static_item', 'const_item', 'impl_item', 'mod_item', 'trait_item'],
]);
const NAMED_BY = ['name', 'left', 'key', 'property', 'trait', 'type'];
/** Nodes in which white space is part of the value. */
const TEXTS = /string|template|regex|char|jsx/;

export function* addedNodes(file: InspectedFile): Generator<SyntaxNode> {
  for (const node of nodesOf(file.root)) if (file.isAdded(node)) yield node;
}

/**
 * Pure: returns a function that tells whether a node of `now` is new. A node is old if the same function, type or
 * variable contained the same tokens before. The same tokens elsewhere in the file, in a text, or in a deleted function
 * do not make it old. If only the name of a declaration changed, its content is old.
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
  /**
   * For each node, a key of its declaration and its tokens. Two nodes with the same tokens in the same declaration have
   * the same key.
   */
  readonly nodes: ReadonlyMap<SyntaxNode, string>;
  /** For each declaration, a key of its content without its name. */
  readonly owners: ReadonlyMap<string, string>;
}

/** Present name -> old name, for declarations of which only the name has changed. */
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

/**
 * Gives equal nodes (with the same tokens) the same number. Children are visited before their parents, so each node is
 * visited once, at any depth.
 */
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

/** The numbers of a node's children, and the texts between them. */
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
