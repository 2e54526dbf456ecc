import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { above, childOf, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { InspectedFile } from '../../../finding.ts';
import { argumentsOf, literalOf } from '../../../names.ts';

/** The stack, the thread of a runner, the command line, the place that a class was loaded from. */
const SIGNS =
  /(?:^|\.)(?:getStackTrace|getAllStackTraces|getRuntimeMXBean|getThreadMXBean|desiredAssertionStatus|getProtectionDomain|getCodeSource|Thread\.currentThread\(\)\.get(?:Name|ThreadGroup|ContextClassLoader)|ProcessHandle\.current|System\.getProperties|StackWalker\.\w+)$/;
const KEYS =
  /^(?:surefire|failsafe|maven|junit|jupiter|testng|gradle|jacoco|test|basedir|localRepository|java\.class\.path|sun\.java\.command|jdk\.module\.|CI$|MAVEN|SUREFIRE|GITHUB_ACTIONS|HOSTNAME|TMPDIR|container$)/i;
const LOOKUP = /^(?:System\.(?:getProperty|getenv)|Integer\.getInteger|Long\.getLong|Boolean\.getBoolean)$/;
/** Packages that only tests use. */
const OF_TESTS = /^(?:(?:org\.(?:junit|testng|mockito|hamcrest|assertj)|junit)\b|(?:surefire|failsafe)\.)/;
const UPDATES = new Set(['assignment_expression', 'update_expression']);

/** Returns which sign of a test run a Java node reads; null if none. */
export function signInJava(node: SyntaxNode, file: InspectedFile): string | null {
  const { text } = file;
  if (node.kind === 'string_literal') {
    const value = literalOf(node, text);
    return value !== null && OF_TESTS.test(value) ? `it names ${value}` : null;
  }
  if (node.kind === 'assert_statement')
    return changesSomething(node, file) ? 'it changes something only if assertions are on, as in a test' : null;
  if (node.kind !== 'method_invocation') return null;
  const called = calledName(node, file);
  if (SIGNS.test(called)) return `${called} shows who calls`;
  if (/\.printStackTrace$/.test(called) && isOfNewStack(node, text)) return 'the stack shows who calls';
  if (!LOOKUP.test(called)) return null;
  const [first] = argumentsOf(node);
  // A parameter or constant. Its value is checked where it is written.
  if (first?.kind === 'identifier') return null;
  // All variables, which a test can give instead: `this(System.getenv())`.
  if (first === undefined && node.parent?.kind === 'argument_list') return null;
  const key = literalOf(first, text);
  return key === null || KEYS.test(key) ? `it reads ${key ?? 'a setting with a computed name'}` : null;
}

/** `System.getProperty`, also if the method is imported. */
function calledName(node: SyntaxNode, { root, text }: InspectedFile): string {
  const [object, name] = [childOf(node, 'object'), childOf(node, 'name')];
  const own = plainText(name, text);
  if (object !== null) return `${plainText(object, text)}.${own}`;
  for (const each of root.children) {
    const imported = each.kind === 'import_declaration' ? plainText(each, text) : '';
    const [, owner, member] = /^import static (?:\w+\.)*(\w+)\.(\w+|\*);?$/.exec(imported) ?? [];
    if (owner !== undefined && (member === own || (member === '*' && /^(?:System|Thread)$/.test(owner))))
      return `${owner}.${own}`;
  }
  return own;
}

/** Whether an assertion has a side effect: an assignment, or a call of a method in this file that assigns a field. */
function changesSomething(assertion: SyntaxNode, { root, text }: InspectedFile): boolean {
  const nodes = [...nodesOf(assertion)];
  if (nodes.some(({ kind }) => UPDATES.has(kind))) return true;
  const called = new Set(
    nodes.flatMap((each) => {
      const name = each.kind === 'method_invocation' ? childOf(each, 'name') : null;
      return name === null ? [] : [plainText(name, text)];
    }),
  );
  return [...nodesOf(root)].some((each) => {
    const name = each.kind === 'method_declaration' ? childOf(each, 'name') : null;
    return name !== null && called.has(plainText(name, text)) && changesFields(each, text);
  });
}

function changesFields(method: SyntaxNode, text: string): boolean {
  const all = [...nodesOf(method)];
  const own = new Set(
    all.flatMap((each) => {
      const name = /^(?:variable_declarator|formal_parameter)$/.test(each.kind) ? childOf(each, 'name') : null;
      return name === null ? [] : [plainText(name, text)];
    }),
  );
  return all.some((each) => {
    const target = UPDATES.has(each.kind)
      ? (childOf(each, 'left') ?? each.children.find(({ named }) => named))
      : undefined;
    return target !== undefined && !own.has(/^\w+/.exec(plainText(target, text))?.[0] ?? '');
  });
}

/** Whether the stack belongs to an exception that was created here and not caught. */
function isOfNewStack(node: SyntaxNode, text: string): boolean {
  const object = childOf(node, 'object');
  if (object === null || argumentsOf(node).length === 0) return false;
  if (object.kind !== 'identifier') return true;
  const name = plainText(object, text);
  const method = above(node, ({ kind }) => kind === 'method_declaration');
  return (
    method !== null &&
    [...nodesOf(method)].some((each) => {
      const declared = each.kind === 'variable_declarator' ? childOf(each, 'name') : null;
      return declared !== null && plainText(declared, text) === name;
    })
  );
}
