import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node, Pair } from 'yaml';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** Plain data with the place of each part. */
export interface YamlTree {
  /** Objects without a prototype, arrays, strings, numbers, booleans, null. */
  readonly value: unknown;
  /** Where the value at this path is, or its key if `ofKey`; the nearest existing parent where there is none. */
  locate(path: readonly PropertyKey[], ofKey?: boolean): { readonly line: number; readonly column: number };
}

export type ReadYaml =
  | { readonly kind: 'ok'; readonly tree: YamlTree }
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly errors: readonly PolicyDiagnostic[] };

/** A policy of ten thousand rules has about half a million bytes and a hundred thousand values. */
const MAX_TEXT_CHARACTERS = 8 * 1024 * 1024;
const MAX_VALUES = 500_000;
const MAX_DEPTH = 32;

class Refused extends Error {
  readonly node: Node;
  constructor(message: string, node: Node) {
    super(message);
    this.node = node;
  }
}

/**
 * Reads one YAML document. Refused besides what YAML refuses: duplicate keys, tags, keys that are not text, several documents, and
 * aliases that add up to more than a bounded number of values (so no alias bomb unfolds) or that contain themselves.
 */
export function readYaml(text: string, file: string): ReadYaml {
  if (text.length > MAX_TEXT_CHARACTERS) return readWithLibrary(text, file);
  const value = readPlainYaml(text, { maxValues: MAX_VALUES, maxDepth: MAX_DEPTH });
  if (value === undefined) return readWithLibrary(text, file);
  let placed: YamlTree | null = null;
  const locate: YamlTree['locate'] = (path, ofKey) =>
    (placed ??= treeOf(readWithLibrary(text, file))).locate(path, ofKey);
  return { kind: 'ok', tree: { value, locate } };
}

function treeOf(read: ReadYaml): YamlTree {
  if (read.kind === 'ok') return read.tree;
  throw new Error(`plain YAML was read that the library calls ${read.kind}`);
}

/** As `readYaml`, always with the places of everything. */
export function readWithLibrary(text: string, file: string): ReadYaml {
  const counter = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const invalid = (offset: number, message: string): ReadYaml => ({
    kind: 'invalid',
    errors: [{ file, ...at(offset), message, severity: 'error' }],
  });
  if (text.length > MAX_TEXT_CHARACTERS) return invalid(0, `the file is longer than ${MAX_TEXT_CHARACTERS} characters`);
  if (!text.isWellFormed() || text.includes('\uFFFD')) return invalid(0, 'the file is not valid UTF-8');

  const document = parseDocument(text, {
    lineCounter: counter,
    schema: 'core',
    version: '1.2',
    merge: false,
    prettyErrors: false,
  });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    const errors = problems.map((problem) => ({
      file,
      ...at(problem.pos[0]),
      message: problem.message,
      severity: 'error' as const,
    }));
    return { kind: 'invalid', errors };
  }
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null && root.source === '')) return { kind: 'empty' };

  let values = 0;
  const anchors = new Map<string, Node>();
  const convert = (node: Node, depth: number, unfolding: readonly Node[]): unknown => {
    values += 1;
    if (values > MAX_VALUES) throw new Refused(`the file unfolds to more than ${MAX_VALUES} values`, node);
    if (depth > MAX_DEPTH) throw new Refused(`the file is nested more than ${MAX_DEPTH} deep`, node);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) throw new Refused(`unknown anchor "${node.source}"`, node);
      if (unfolding.includes(target)) throw new Refused(`the anchor "${node.source}" contains itself`, node);
      return convert(target, depth, [...unfolding, target]);
    }
    if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
    if ('tag' in node && typeof node.tag === 'string' && !isStandardTag(node.tag)) {
      throw new Refused(`the tag "${node.tag}" is not allowed`, node);
    }
    if (isSeq(node)) return node.items.map((item) => convert(item as Node, depth + 1, unfolding));
    if (isMap(node)) {
      const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const pair of node.items as Pair<Node, Node | null>[]) {
        if (!isScalar(pair.key) || typeof pair.key.value !== 'string')
          throw new Refused('a key must be text', pair.key);
        object[pair.key.value] = pair.value === null ? null : convert(pair.value, depth + 1, unfolding);
      }
      return object;
    }
    return isScalar(node) ? node.value : null;
  };

  try {
    const value = convert(root, 0, []);
    return { kind: 'ok', tree: { value, locate: (path, ofKey) => at(offsetOf(root, path, ofKey ?? false, anchors)) } };
  } catch (error) {
    if (error instanceof Refused) return invalid(error.node.range?.[0] ?? 0, error.message);
    throw error;
  }
}

function isStandardTag(tag: string): boolean {
  return /^(?:tag:yaml\.org,2002:)(?:map|seq|str|int|float|bool|null)$/.test(tag);
}

function offsetOf(
  root: Node,
  path: readonly PropertyKey[],
  ofKey: boolean,
  anchors: ReadonlyMap<string, Node>,
): number {
  let node: Node = root;
  let offset = root.range?.[0] ?? 0;
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = anchors.get(node.source) ?? node;
    const pair: Pair<Node, Node | null> | undefined = isMap(node)
      ? (node.items as Pair<Node, Node | null>[]).find((item) => isScalar(item.key) && item.key.value === step)
      : undefined;
    const child: unknown =
      pair === undefined ? (isSeq(node) ? node.items[Number(step)] : undefined) : (pair.value ?? pair.key);
    if (child === undefined) return offset;
    const isLast = index === path.length - 1;
    node = child as Node;
    offset = (isLast && ofKey && pair !== undefined ? pair.key.range?.[0] : node.range?.[0]) ?? offset;
  }
  return offset;
}
