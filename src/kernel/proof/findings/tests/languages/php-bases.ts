import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { once } from '../../../syntax/once.ts';
import { above, nodesOf } from '../../../syntax/walk.ts';
import type { InspectedChange, InspectedFile, SourceText } from '../../finding.ts';
import { nameOf } from './compiled-tests.ts';
import { classesOf, isSameName, shortName } from './php-classes.ts';
import type { PhpClass } from './php-classes.ts';
import { markOff } from './php-tests.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';
import { writtenTests } from './written-tests.ts';

/** The class of PHPUnit that has no cases. */
const OF_PHPUNIT = /(?:^|\\)TestCase$/;

/** A class of a file that extends another class. */
export interface Heir {
  /** The line that names the class it extends. */
  readonly line: number;
  /** The cases that it inherits. null if they cannot be examined. */
  readonly cases: readonly InheritedCase[] | null;
}

export interface InheritedCase {
  /** The file that has the body of the case. */
  readonly owner: InspectedFile;
  readonly tests: WrittenTests;
  readonly written: WrittenCase;
  /** Whether PHPUnit may report the case by this name, for the class that inherits it. */
  isReportedAs(name: string): boolean;
}

interface OwnedClass extends PhpClass {
  readonly owner: InspectedFile;
}

/** Returns the names, without their namespaces, of the classes that the classes of a file extend. Those of PHPUnit are left out. */
export function basesOf(source: SourceText): string[] {
  return classesOf(source).flatMap(({ base }) => {
    const name = base === null ? null : (base.fullName ?? base.written);
    return name === null || OF_PHPUNIT.test(name) ? [] : [shortName(name)];
  });
}

/** Returns the classes of a file that extend another class, with the cases they inherit. */
export const heirsIn = once((file: InspectedFile, change: InspectedChange): Heir[] => {
  if (file.language !== 'php') return [];
  const heirs = ownedClasses(file).filter(({ base }) => base !== null);
  return heirs.map((heir) => ({ line: heir.base?.line ?? heir.node.line, cases: casesAbove(heir, change) }));
});

/**
 * Walks up to PHPUnit's own class. Returns null if it does not get there, or if a class is not known for certain, takes code from a trait, switches
 * cases of its base off, or replaces a method by which its base asserts.
 */
function casesAbove(heir: OwnedClass, change: InspectedChange): InheritedCase[] | null {
  const below = [heir];
  const cases: InheritedCase[] = [];
  for (let at = heir; at.base !== null;) {
    if (hasTrait(at) || markOff(at.node, at.owner.text) !== null) return null;
    const base = baseOf(at, change);
    if (base === 'phpunit') return cases;
    if (base === null || below.some(({ node }) => node === base.node)) return null;
    const found = casesOf(base, below);
    if (found === null) return null;
    const isOfHeir = (name: string): boolean => name.split(' > ')[0] === heir.name;
    for (const each of found)
      cases.push({ ...each, isReportedAs: (name) => isOfHeir(name) && each.written.isReportedAs(name) });
    below.push(base);
    at = base;
  }
  return null;
}

function baseOf({ base }: OwnedClass, { tests, helpers, sources }: InspectedChange): OwnedClass | 'phpunit' | null {
  const wanted = base?.fullName ?? null;
  if (wanted === null) return null;
  const known = [...tests, ...helpers, ...sources].filter(({ language }) => language === 'php').flatMap(ownedClasses);
  const [found, another] = known.filter(({ fullName, name }) =>
    fullName === null ? isSameName(name, shortName(wanted)) : isSameName(fullName, wanted),
  );
  if (found === undefined) return OF_PHPUNIT.test(wanted) ? 'phpunit' : null;
  return another === undefined && !sources.includes(found.owner) ? found : null;
}

/** The cases of a class that no class below it replaces. null if a class below replaces a method that asserts. */
function casesOf(base: OwnedClass, below: readonly OwnedClass[]): Omit<InheritedCase, 'isReportedAs'>[] | null {
  const { owner, node } = base;
  const tests = writtenTests(owner.language, owner);
  const replaced = new Set(below.flatMap((each) => methodsOf(each).map((method) => keyOf(method, each.owner.text))));
  const isReplaced = (method: SyntaxNode): boolean => replaced.has(keyOf(method, owner.text));
  const own = tests.cases.filter(({ body }) => classAbove(body) === node);
  const helpers = methodsOf(base).filter((method) => !own.some(({ body }) => body === method));
  if (helpers.some((method) => isReplaced(method) && tests.assertions(method).length > 0)) return null;
  return own.filter(({ body }) => !isReplaced(body)).map((written) => ({ owner, tests, written }));
}

const ownedClasses = once((owner: InspectedFile): OwnedClass[] => classesOf(owner).map((each) => ({ ...each, owner })));

function methodsOf({ node }: OwnedClass): SyntaxNode[] {
  return [...nodesOf(node)].filter((each) => each.kind === 'method_declaration' && classAbove(each) === node);
}

function hasTrait({ node }: OwnedClass): boolean {
  return [...nodesOf(node)].some(({ kind }) => kind === 'use_declaration');
}

function classAbove(node: SyntaxNode): SyntaxNode | null {
  return above(node, ({ kind }) => kind === 'class_declaration');
}

/** PHP does not tell capital letters of a method from small ones. */
function keyOf(method: SyntaxNode, text: string): string {
  return nameOf(method, text).toLowerCase();
}
