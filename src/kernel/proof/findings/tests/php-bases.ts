import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import type { InspectedChange, InspectedFile, SourceText } from '../finding.ts';

/** The class of PHPUnit that has no cases. */
const OF_PHPUNIT = /(?:^|\\)TestCase$/;

interface WrittenClass {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly bases: readonly string[];
}

/** Returns the names, without their namespaces, of the classes that the classes of a file extend. Those of PHPUnit are left out. */
export function basesOf(source: SourceText): string[] {
  return classesOf(source).flatMap(({ bases }) => bases.filter((each) => !OF_PHPUNIT.test(each)).map(lastName));
}

/**
 * Returns the test files whose classes the classes of a file extend, up to PHPUnit's own. Returns null if one of them is in no test file that was read, or
 * takes code from a trait.
 */
export function inheritedFrom(
  file: InspectedFile,
  { tests, helpers }: InspectedChange,
): readonly InspectedFile[] | null {
  const found = new Set<InspectedFile>();
  const waiting = basesOf(file);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const owner = [...tests, ...helpers].find(
      (each) => each.language === 'php' && classesOf(each).some((one) => one.name === name),
    );
    if (owner === undefined || [...nodesOf(owner.root)].some(({ kind }) => kind === 'use_declaration')) return null;
    if (owner === file || found.has(owner)) continue;
    found.add(owner);
    waiting.push(...basesOf(owner));
  }
  return [...found];
}

function classesOf({ root, text }: SourceText): WrittenClass[] {
  return [...nodesOf(root)].flatMap((node) => {
    const name = node.kind === 'class_declaration' ? childOf(node, 'name') : null;
    if (name === null) return [];
    const clauses = node.children.filter(({ kind }) => kind === 'base_clause');
    const bases = clauses.flatMap((each) => namedChildren(each).map((base) => plainText(base, text)));
    return [{ name: plainText(name, text), node, bases }];
  });
}

function lastName(name: string): string {
  return name.split('\\').at(-1) ?? name;
}
