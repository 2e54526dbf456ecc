import { assertNever } from '../../../lib/assert-never.ts';
import type { Glob, SegmentPattern } from './glob.ts';
import { matchSegment } from './match-glob.ts';
import type { MatchablePath } from './matchable-path.ts';

type WildPattern = Exclude<SegmentPattern, { kind: 'literal' | 'any' }>;

interface Edge {
  readonly pattern: WildPattern;
  readonly target: Node;
}

/**
 * One state of the automaton that all globs share. What a state does not have is null: most have one thing only, there are many, and a
 * decision among ten thousand rules takes as long as its states take to come from memory. So a single child needs no map, and the most
 * usual wildcard no list.
 */
class Node {
  onlyName: string | null = null;
  onlyChild: Node | null = null;
  /** Of a state with two or more literal children, all of them. */
  literals: Map<string, Node> | null = null;
  /** Target of `*` and `**`: any one name. */
  any: Node | null = null;
  /** Targets of `*.ts`, `*.test.ts` and the like, by what follows the star: found by the dots of a name, however many there are. */
  suffixes: Map<string, Node> | null = null;
  wild: Edge[] | null = null;
  /** The state after any number of segments, none included. */
  globstar: Node | null = null;
  values: number[] | null = null;
  /** Values of globs that match directories only. */
  directoryValues: number[] | null = null;
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
  /** Equal patterns of one state share one target; needed while globs are added. */
  readonly #wildTargets = new Map<Node, Map<string, Node>>();
  #searches = 0;

  add(glob: Glob, value: number): void {
    let node = this.#root;
    for (const part of glob.parts) {
      if (part.kind === 'globstar') node = node.globstar ??= new Node();
      else node = this.#childFor(node, part);
    }
    if (glob.directoryOnly) (node.directoryValues ??= []).push(value);
    else (node.values ??= []).push(value);
  }

  /** Appends to `found`, in no particular order; a value added with several globs may come several times. */
  collect(path: MatchablePath, found: number[]): void {
    const { segments, directory } = path;
    const search = (this.#searches += 1);
    /** States in which a globstar holds: each stays for the rest of the path. */
    const held: Node[] = [];
    hold(this.#root, held, search);
    let active = NOTHING;
    let first = hasEdges(this.#root);
    for (let index = 0; index < segments.length; index += 1) {
      const segment = segments[index] ?? '';
      let next: Node[] | null = null;
      if (first) next = step(this.#root, segment, next);
      first = false;
      for (const node of active) next = step(node, segment, next);
      for (const node of held) next = step(node, segment, next);
      active = next ?? NOTHING;
      if (next === null) {
        if (held.length === 0) return;
        continue;
      }
      const beneath = directory || index < segments.length - 1;
      for (const node of next) {
        report(node, beneath, search, found);
        hold(node, held, search);
      }
    }
  }

  #childFor(node: Node, pattern: SegmentPattern): Node {
    if (pattern.kind === 'literal') return literalChild(node, pattern.text);
    if (pattern.kind === 'any') return (node.any ??= new Node());
    if (pattern.kind === 'affix' && pattern.prefix === '' && pattern.suffix.startsWith('.')) {
      return childIn((node.suffixes ??= new Map()), pattern.suffix);
    }
    const targets = this.#wildTargets.get(node) ?? new Map<string, Node>();
    this.#wildTargets.set(node, targets);
    const known = targets.size;
    const target = childIn(targets, keyOf(pattern));
    if (targets.size > known) (node.wild ??= []).push({ pattern, target });
    return target;
  }
}

const NOTHING: readonly Node[] = [];

function hasEdges(node: Node): boolean {
  return (
    node.onlyName !== null ||
    node.literals !== null ||
    node.any !== null ||
    node.suffixes !== null ||
    node.wild !== null
  );
}

/** Adds the states that the segment leads to; no array is made for the many segments that lead nowhere. */
function step(node: Node, segment: string, next: Node[] | null): Node[] | null {
  let reached = next;
  if (node.onlyName === segment && node.onlyChild !== null) (reached ??= []).push(node.onlyChild);
  if (node.literals !== null) {
    const literal = node.literals.get(segment);
    if (literal !== undefined) (reached ??= []).push(literal);
  }
  if (node.any !== null) (reached ??= []).push(node.any);
  if (node.suffixes !== null) {
    for (let dot = segment.indexOf('.'); dot >= 0; dot = segment.indexOf('.', dot + 1)) {
      const target = node.suffixes.get(segment.slice(dot));
      if (target !== undefined) (reached ??= []).push(target);
    }
  }
  if (node.wild !== null) {
    for (const edge of node.wild) if (matchSegment(edge.pattern, segment)) (reached ??= []).push(edge.target);
  }
  return reached;
}

/** A state has one parent, but a held parent leads to it once a segment; its values count once. */
function report(node: Node, beneath: boolean, search: number, found: number[]): void {
  if (node.values !== null && node.reportedIn !== search) {
    node.reportedIn = search;
    for (const value of node.values) found.push(value);
  }
  if (node.directoryValues !== null && beneath && node.directoriesReportedIn !== search) {
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

function literalChild(node: Node, name: string): Node {
  if (node.literals !== null) return childIn(node.literals, name);
  if (node.onlyChild === null) {
    node.onlyName = name;
    return (node.onlyChild = new Node());
  }
  if (node.onlyName === name) return node.onlyChild;
  node.literals = new Map([[node.onlyName ?? '', node.onlyChild]]);
  node.onlyName = null;
  node.onlyChild = null;
  return childIn(node.literals, name);
}

function childIn(children: Map<string, Node>, key: string): Node {
  const existing = children.get(key);
  if (existing !== undefined) return existing;
  const child = new Node();
  children.set(key, child);
  return child;
}

function keyOf(pattern: WildPattern): string {
  switch (pattern.kind) {
    case 'affix':
      return `affix ${pattern.prefix}/${pattern.suffix}`;
    case 'wild':
      return `wild ${pattern.tokens.map((token) => JSON.stringify('members' in token ? [...token.members] : token)).join('')}`;
    default:
      return assertNever(pattern);
  }
}
