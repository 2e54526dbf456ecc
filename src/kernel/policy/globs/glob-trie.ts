import { assertNever } from '../../../lib/assert-never.ts';
import type { Glob, SegmentPattern } from './glob.ts';
import { matchSegment } from './match-glob.ts';
import type { MatchablePath } from './match-glob.ts';

interface Edge {
  readonly pattern: SegmentPattern;
  readonly target: Node;
}

/** One state of the automaton that all globs share. */
class Node {
  readonly literals = new Map<string, Node>();
  /** Edges whose names must end in `.<extension>`, by that extension: `*.test.ts` costs nothing where no `.ts` file is. */
  readonly byExtension = new Map<string, Edge[]>();
  readonly wild: Edge[] = [];
  /** All targets of the edges above, so that equal patterns share one. */
  readonly targets = new Map<string, Node>();
  /** The state after any number of segments, none included. */
  globstar: Node | null = null;
  readonly values: number[] = [];
  /** Values of globs that match directories only. */
  readonly directoryValues: number[] = [];
  /** The search that visited this state last, so that no search reports or follows it twice. */
  reportedIn = 0;
  directoriesReportedIn = 0;
  heldIn = 0;
}

/**
 * Finds the values of all globs that match a path, in time that grows with the path and the globs it passes, not with their number.
 * Same results as `matchGlob` on each glob in turn.
 */
export class GlobTrie {
  readonly #root = new Node();
  #searches = 0;

  add(glob: Glob, value: number): void {
    let node = this.#root;
    for (const part of glob.parts) {
      if (part.kind === 'globstar') {
        node.globstar ??= new Node();
        node = node.globstar;
      } else {
        node = childFor(node, part);
      }
    }
    (glob.directoryOnly ? node.directoryValues : node.values).push(value);
  }

  /** Appends to `found`, in no particular order; a value added with several globs may come several times. */
  collect(path: MatchablePath, found: number[]): void {
    const { segments, directory } = path;
    this.#searches += 1;
    const search = this.#searches;
    /** States in which a globstar holds: each stays for the rest of the path. */
    const held: Node[] = [];
    let active: Node[] = [this.#root];
    hold(this.#root, held, search);

    for (let index = 0; index < segments.length; index += 1) {
      const segment = segments[index] ?? '';
      const beneath = directory || index < segments.length - 1;
      const next: Node[] = [];
      for (const node of active) step(node, segment, next);
      for (const node of held) step(node, segment, next);
      for (const node of next) {
        report(node, beneath, search, found);
        hold(node, held, search);
      }
      active = next;
      if (active.length === 0 && held.length === 0) return;
    }
  }
}

function step(node: Node, segment: string, next: Node[]): void {
  const literal = node.literals.get(segment);
  if (literal !== undefined) next.push(literal);
  if (node.byExtension.size > 0) {
    const edges = node.byExtension.get(extensionOf(segment));
    if (edges !== undefined) follow(edges, segment, next);
  }
  if (node.wild.length > 0) follow(node.wild, segment, next);
}

function follow(edges: readonly Edge[], segment: string, next: Node[]): void {
  for (const edge of edges) if (matchSegment(edge.pattern, segment)) next.push(edge.target);
}

/** A state has one parent, but a held parent leads to it once a segment; its values count once. */
function report(node: Node, beneath: boolean, search: number, found: number[]): void {
  if (node.reportedIn !== search) {
    node.reportedIn = search;
    for (const value of node.values) found.push(value);
  }
  if (beneath && node.directoriesReportedIn !== search) {
    node.directoriesReportedIn = search;
    for (const value of node.directoryValues) found.push(value);
  }
}

function hold(node: Node, held: Node[], search: number): void {
  const globstar = node.globstar;
  if (globstar !== null && globstar.heldIn !== search) {
    globstar.heldIn = search;
    held.push(globstar);
  }
}

function childFor(node: Node, pattern: SegmentPattern): Node {
  if (pattern.kind === 'literal') {
    const existing = node.literals.get(pattern.text);
    if (existing !== undefined) return existing;
    const child = new Node();
    node.literals.set(pattern.text, child);
    return child;
  }
  const key = keyOf(pattern);
  const existing = node.targets.get(key);
  if (existing !== undefined) return existing;
  const target = new Node();
  node.targets.set(key, target);
  edgesFor(node, pattern).push({ pattern, target });
  return target;
}

function keyOf(pattern: Exclude<SegmentPattern, { kind: 'literal' }>): string {
  switch (pattern.kind) {
    case 'any':
      return 'any';
    case 'affix':
      return `affix ${pattern.prefix}/${pattern.suffix}`;
    case 'wild':
      return `wild ${pattern.tokens.map((token) => JSON.stringify('members' in token ? [...token.members] : token)).join('')}`;
    default:
      return assertNever(pattern);
  }
}

function edgesFor(node: Node, pattern: SegmentPattern): Edge[] {
  const extension = pattern.kind === 'affix' && pattern.suffix.includes('.') ? extensionOf(pattern.suffix) : null;
  if (extension === null) return node.wild;
  const edges = node.byExtension.get(extension) ?? [];
  node.byExtension.set(extension, edges);
  return edges;
}

/** What follows the last dot; the whole name where there is none. */
function extensionOf(segment: string): string {
  return segment.slice(segment.lastIndexOf('.') + 1);
}
