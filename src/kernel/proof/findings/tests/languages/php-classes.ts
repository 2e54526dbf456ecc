import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';

/** A class that a file of PHP declares. */
export interface PhpClass {
  readonly name: string;
  /** The name with its namespace; null if it is not certain. */
  readonly fullName: string | null;
  readonly node: SyntaxNode;
  readonly base: PhpBase | null;
}

/** The class that a class extends. */
export interface PhpBase {
  /** The line of the clause that names it. */
  readonly line: number;
  readonly written: string;
  /** The name with its namespace; null if it is not certain. */
  readonly fullName: string | null;
}

/** The namespace of a file, and the names that its `use` statements bring, in small letters. */
interface Names {
  readonly namespace: string;
  readonly imported: ReadonlyMap<string, string>;
}

const NO_CLASS = /^(?:use\s+)?(?:function|const)\s/i;

export function classesOf({ root, text }: SourceText): PhpClass[] {
  const names = namesOf(root, text);
  return [...nodesOf(root)].flatMap((node) => {
    const name = node.kind === 'class_declaration' ? childOf(node, 'name') : null;
    if (name === null) return [];
    const clause = node.children.find(({ kind }) => kind === 'base_clause');
    const [named] = namedChildren(clause);
    const written = named === undefined ? null : plainText(named, text);
    const base =
      clause === undefined || written === null
        ? null
        : { line: clause.line, written, fullName: names === null ? null : resolved(written, names) };
    const own = plainText(name, text);
    return [{ name: own, fullName: names === null ? null : joined(names.namespace, own), node, base }];
  });
}

/** The last part of a name. */
export function shortName(name: string): string {
  return name.split('\\').at(-1) ?? name;
}

/** Whether two names are one class. PHP does not tell capital letters from small ones. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns null for a file with more than one namespace. */
function namesOf(root: SyntaxNode, text: string): Names | null {
  const nodes = [...nodesOf(root)];
  const [namespace, another] = nodes.filter(({ kind }) => kind === 'namespace_definition');
  if (another !== undefined) return null;
  const name = childOf(namespace, 'name');
  const clauses = nodes.filter(({ kind }) => kind === 'namespace_use_clause');
  return {
    namespace: plainText(name, text),
    imported: new Map(clauses.flatMap((each) => importedBy(each, text))),
  };
}

function importedBy(clause: SyntaxNode, text: string): [string, string][] {
  const statement = above(clause, ({ kind }) => kind === 'namespace_use_declaration');
  const [named] = namedChildren(clause);
  if (statement === null || named === undefined) return [];
  if ([clause, statement].some((each) => NO_CLASS.test(textOf(each, text)))) return [];
  const prefix = statement.children.find(({ kind }) => kind === 'namespace_name');
  const name = plainText(named, text).replace(/^\\/, '');
  const fullName = prefix === undefined ? name : joined(plainText(prefix, text), name);
  const alias = childOf(clause, 'alias');
  return [[(alias === null ? shortName(name) : plainText(alias, text)).toLowerCase(), fullName]];
}

function resolved(written: string, { namespace, imported }: Names): string {
  if (written.startsWith('\\')) return written.slice(1);
  const [first = '', ...rest] = written.split('\\');
  if (rest.length > 0 && first.toLowerCase() === 'namespace') return joined(namespace, rest.join('\\'));
  const from = imported.get(first.toLowerCase());
  return from === undefined ? joined(namespace, written) : [from, ...rest].join('\\');
}

function joined(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}\\${name}`;
}
