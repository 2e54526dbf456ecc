import { assertNever } from '../assert-never.ts';
import type { Glob, GlobPart, SegmentPattern } from './glob.ts';
import { matchSegment } from './match-glob.ts';
import type { MatchablePath } from './matchable-path.ts';
import { NameTable } from './name-table.ts';

type WildPattern = Exclude<SegmentPattern, { kind: 'literal' | 'any' }>;

interface Edge<T> {
  readonly pattern: WildPattern;
  readonly target: Node<T>;
}

/** The end of a glob. A linked list, because most have one item, which is then one step away. */
interface Ending<T> {
  readonly value: T;
  readonly of: EndingKind;
  readonly next: Ending<T> | null;
  /** The search that last found it: a state has one parent, but a held state leads to it once per segment. */
  foundIn: number;
}

/** What must follow the segments that the glob names: anything, something that makes them a directory, or an entry in that directory. */
type EndingKind = 'anything' | 'directory' | 'contents';

/** One state of the automaton that all globs share. Absent transitions are null, because most states have only one and there are many states. */
class Node<T> {
  literals: NameTable<Node<T>> | null = null;
  /** Target of `*` and `**`: any one name. */
  any: Node<T> | null = null;
  /**
   * Targets of `*.ts`, `*.test.ts` and the like, by the text after the star. They are found by the dots of a name, however many targets there are.
   */
  suffixes: NameTable<Node<T>> | null = null;
  wild: Edge<T>[] | null = null;
  /** The state after any number of segments, including zero. */
  globstar: Node<T> | null = null;
  endings: Ending<T> | null = null;
  /** The search that last held this state, so that no search follows it twice. */
  heldIn = 0;
  /** The search that last reported all endings: a path may reach this state at each of its names, and there may be as many endings as rules. */
  reportedIn = 0;
}

/** The position of a search in its path. One object per search, changed from name to name. */
interface Segment {
  readonly path: MatchablePath;
  index: number;
  start: number;
  end: number;
  /** The first dot at or after `start`. */
  dot: number;
}

/**
 * A glob that begins with names, as most do, is found by these names in one look-up. Longer beginnings are followed name by name, so a search
 * extracts at most this many beginnings from a path of any length.
 */
const MAX_PREFIX_NAMES = 8;

/**
 * Finds the values of all globs that match a path, in time that grows with the path and the visited globs, not with their number. Same results as
 * `matchGlob` for each glob.
 */
export class GlobTrie<T> {
  readonly #root = new Node<T>();
  /** States after one name, after two names and so on, by these names joined with slashes. */
  readonly #prefixes: NameTable<Node<T>>[] = [];
  /** Equal patterns of one state share one target; needed while globs are added. */
  readonly #wildTargets = new Map<Node<T>, NameTable<Node<T>>>();
  #searches = 0;

  add(glob: Glob, value: T): void {
    const names = leadingNames(glob.parts);
    const kind = endingOf(glob);
    let node = names.length === 0 ? this.#root : this.#afterNames(names);
    for (const part of glob.parts.slice(names.length, kind === 'contents' ? -1 : undefined)) {
      if (part.kind === 'globstar') node = node.globstar ??= new Node();
      else node = this.#childFor(node, part);
    }
    node.endings = { value, of: kind, next: node.endings, foundIn: 0 };
  }

  /** Unordered; a value that was added with several globs may occur several times. */
  collect(path: MatchablePath): readonly T[] {
    const { text, ends, directory } = path;
    const search = (this.#searches += 1);
    const found: T[] = [];
    /** States in which a globstar holds: each stays active for the rest of the path. */
    const held: Node<T>[] = [];
    hold(this.#root, held, search);
    let active: readonly Node<T>[] = hasEdges(this.#root) ? [this.#root] : NOTHING;
    const segment: Segment = { path, index: 0, start: 0, end: 0, dot: firstDot(text, 0) };
    for (let index = 0; index < ends.length; index += 1) {
      const end = ends[index] ?? 0;
      segment.index = index;
      segment.end = end;
      if (segment.dot < segment.start) segment.dot = firstDot(text, segment.start);
      let next: Node<T>[] | null = null;
      if (index < this.#prefixes.length) {
        const prefixed = this.#prefixes[index]?.find(text, 0, end);
        if (prefixed !== undefined) next = [prefixed];
      } else if (active.length === 0 && held.length === 0) break;
      for (const node of active) next = step(node, segment, next);
      for (const node of held) next = step(node, segment, next);
      active = next ?? NOTHING;
      segment.start = end + 1;
      if (next === null) continue;
      const contents = index < ends.length - 1;
      for (const node of next) {
        report(node, contents, contents || directory, search, found);
        hold(node, held, search);
      }
    }
    return found;
  }

  #afterNames(names: readonly string[]): Node<T> {
    while (this.#prefixes.length < names.length) this.#prefixes.push(new NameTable());
    const table = this.#prefixes[names.length - 1];
    if (table === undefined) throw new Error('a glob without names has no prefix');
    return table.findOrAdd(names.join('/'), newNode);
  }

  #childFor(node: Node<T>, pattern: SegmentPattern): Node<T> {
    if (pattern.kind === 'literal') return (node.literals ??= new NameTable()).findOrAdd(pattern.text, newNode);
    if (pattern.kind === 'any') return (node.any ??= new Node());
    if (pattern.kind === 'affix' && foundByTable(pattern)) {
      return (node.suffixes ??= new NameTable()).findOrAdd(pattern.suffix, newNode);
    }
    const targets = this.#wildTargets.get(node) ?? new NameTable<Node<T>>();
    this.#wildTargets.set(node, targets);
    return targets.findOrAdd(keyOf(pattern), () => {
      const target = new Node<T>();
      (node.wild ??= []).push({ pattern, target });
      return target;
    });
  }
}

const NOTHING: readonly never[] = [];

function newNode<T>(): Node<T> {
  return new Node();
}

/** The leading names by which a glob is found: globs with other leading names are not visited. */
export function leadingNames(parts: readonly GlobPart[]): readonly string[] {
  const names: string[] = [];
  for (const part of parts) {
    if (part.kind !== 'literal' || names.length === MAX_PREFIX_NAMES) break;
    names.push(part.text);
  }
  return names;
}

/** A last part that matches any name, as in `src/**`, needs no state of its own. */
function endingOf({ parts, directoryOnly }: Glob): EndingKind {
  if (directoryOnly) return 'directory';
  return parts.length > 1 && parts.at(-1)?.kind === 'any' ? 'contents' : 'anything';
}

/** Whether the pattern is found by the dots of a name, so that many such patterns cost nothing. */
export function foundByTable({ prefix, suffix }: { readonly prefix: string; readonly suffix: string }): boolean {
  return prefix === '' && suffix.startsWith('.');
}

function firstDot(text: string, from: number): number {
  const dot = text.indexOf('.', from);
  return dot < 0 ? text.length : dot;
}

function hasEdges<T>(node: Node<T>): boolean {
  return node.literals !== null || node.any !== null || node.suffixes !== null || node.wild !== null;
}

/** Adds the states to which the segment leads; no array is created for the many segments that lead nowhere. */
function step<T>(node: Node<T>, segment: Segment, next: Node<T>[] | null): Node<T>[] | null {
  const { path, index, start, end, dot } = segment;
  const { text } = path;
  let reached = next;
  if (node.literals?.mayHave(text, start, end) === true) {
    const literal = node.literals.get(path.nameAt(index));
    if (literal !== undefined) (reached ??= []).push(literal);
  }
  if (node.any !== null) (reached ??= []).push(node.any);
  if (node.suffixes !== null) {
    const { longest } = node.suffixes;
    const first = end - dot > longest ? firstDot(text, end - longest) : dot;
    for (let at = first; at < end; at = firstDot(text, at + 1)) {
      const target = node.suffixes.find(text, at, end);
      if (target !== undefined) (reached ??= []).push(target);
    }
  }
  if (node.wild !== null) {
    const name = path.nameAt(index);
    for (const edge of node.wild) if (matchSegment(edge.pattern, name)) (reached ??= []).push(edge.target);
  }
  return reached;
}

/** `contents` and `directory` as in `EndingKind`: whether the path goes on after this name, and whether it could. */
function report<T>(node: Node<T>, contents: boolean, directory: boolean, search: number, found: T[]): void {
  if (node.reportedIn === search) return;
  if (contents) node.reportedIn = search;
  for (let ending = node.endings; ending !== null; ending = ending.next) {
    if (ending.foundIn === search) continue;
    if ((ending.of === 'directory' && !directory) || (ending.of === 'contents' && !contents)) continue;
    ending.foundIn = search;
    found.push(ending.value);
  }
}

function hold<T>(node: Node<T>, held: Node<T>[], search: number): void {
  const globstar = node.globstar;
  if (globstar !== null && globstar.heldIn !== search) {
    globstar.heldIn = search;
    held.push(globstar);
  }
}

function keyOf(pattern: WildPattern): string {
  switch (pattern.kind) {
    case 'affix':
      return `affix ${pattern.prefix}/${pattern.suffix}`;
    case 'wild':
      return `wild ${pattern.text}`;
    default:
      return assertNever(pattern);
  }
}
