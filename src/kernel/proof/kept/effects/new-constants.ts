import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../../contracts/review/proof.ts';
import { literalsIn } from '../../findings/names.ts';
import { above, kindOf, nodesOf, plainText } from '../../syntax/walk.ts';
import type { BothSides, Side } from '../both-sides.ts';
import { constantsOf, namedValues, plainConstant } from './named-constants.ts';
import type { NamedValue } from './named-constants.ts';
import { brokenConstant } from './broken-constants.ts';
import type { BrokenConstant } from './broken-constants.ts';

/** A name and its constant value: `verify` and `false`. */
interface NamedConstant extends Pick<NamedValue, 'node' | 'name' | 'role'> {
  readonly path: string;
  readonly text: string;
  /** The node of the value. */
  readonly written: SyntaxNode;
  readonly value: string;
}

/** A new constant, and the texts without it or with another value; `broken` is null if these cannot be made. */
export interface NewConstant {
  readonly finding: Finding;
  readonly broken: BrokenConstant | null;
}

/**
 * Returns findings for arguments and properties of a refactoring whose constant value the old sources do not give to
 * that name. If the value is a variable, its constant is used.
 */
export function newConstants({ old, now }: BothSides): NewConstant[] {
  const former = constantsIn(old);
  const current = constantsIn(now);
  const known = new Set(former.map(pairOf));
  const literals = new Set(old.flatMap(({ root, text }) => [...literalsIn(root, text)]));
  const names = new Set(current.map(({ name }) => name));
  const gone = new Set(former.flatMap(({ name, role, value }) => (role === 'given' || names.has(name) ? [] : [value])));
  const unnamed = goneWithoutName(old, now);
  return current.flatMap((each) => {
    const { path, node, name, role, value } = each;
    const isRenamed = role === 'own' && gone.has(value);
    if (role === 'variable' || isRenamed || known.has(pairOf(each)) || isRow(each, literals) || isStricter(each))
      return [];
    const left = unnamed.get(value) ?? 0;
    unnamed.set(value, left - 1);
    if (left > 0) return [];
    const words = `the refactoring adds ${name} with the value ${value}, which the old source does not have`;
    return [{ finding: { kind: 'new-constant', path, line: node.line, words }, broken: brokenConstant(each) }];
  });
}

/**
 * Counts how often each constant without a name occurs more in the old lines than in the new lines. A new named
 * constant may only give a name to such a constant.
 */
function goneWithoutName(old: readonly Side[], now: readonly Side[]): Map<string, number> {
  const count = new Map<string, number>();
  const add = (sides: readonly Side[], by: number): void => {
    for (const value of sides.flatMap(unnamedConstants)) count.set(value, (count.get(value) ?? 0) + by);
  };
  add(old, 1);
  add(now, -1);
  return count;
}

/** Values so common that they count only as arguments. */
const COMMON = /^(?:[01]|true|false|null|none|nil|undefined)$/;

function unnamedConstants(side: Side): string[] {
  const { root, text, changed } = side;
  const named = new Set([...namedValues(side)].flatMap(({ role, value }) => (role === 'variable' ? [] : [value])));
  return [...nodesOf(root)].flatMap((node) => {
    if (node.children.length > 0 || named.has(node) || !changed.has(node.line)) return [];
    const value = plainConstant(node, text);
    if (value === null) return [];
    return COMMON.test(value) && !/^arguments?(?:_list)?$/.test(kindOf(node.parent)) ? [] : [value];
  });
}

/** Whether a constant makes a Python data class stricter: `frozen=True`. */
function isStricter({ node, text, name, value }: NamedConstant): boolean {
  if (!/^(?:frozen|slots|kw_only)$/.test(name) || value !== 'true') return false;
  const decorator = above(node, ({ kind }) => kind === 'decorator');
  return /^@(?:dataclasses?\.|attrs?\.)?(?:dataclass|define|frozen|s)\b/.test(plainText(decorator, text));
}

function pairOf({ name, value }: NamedConstant): string {
  return `${name}=${value}`;
}

/**
 * Whether a constant is a row of a table that replaced branches: its key and value occurred there as texts or numbers.
 */
function isRow({ node, name, value }: NamedConstant, literals: ReadonlySet<string>): boolean {
  if (!literals.has(name)) return false;
  return literals.has(value) || !isArgument(node);
}

function isArgument(node: SyntaxNode): boolean {
  return above(node, ({ kind }) => /^(?:arguments|argument_list)$/.test(kind)) !== null;
}

function constantsIn(sides: readonly Side[]): NamedConstant[] {
  const own = new Map(sides.map((side) => [side, constantsOf(side)]));
  const lookUp = (side: Side, name: string): string | null => {
    const here = own.get(side)?.get(name);
    if (here !== undefined) return here;
    const values = new Set([...own.values()].flatMap((each) => each.get(name) ?? []));
    return values.size === 1 ? ([...values][0] ?? null) : null;
  };
  return sides.flatMap((side) =>
    [...namedValues(side)].flatMap(({ node, name, role, value }) => {
      const plain = plainConstant(value, side.text);
      const written = side.text.slice(value.start, value.end);
      const constant = plain ?? (/identifier$/.test(value.kind) ? lookUp(side, written) : null);
      return constant === null
        ? []
        : [{ path: side.path, text: side.text, node, name, role, written: value, value: constant }];
    }),
  );
}
