import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, nodesOf, plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { Inspection } from '../finding.ts';
import { CALLS, chainOf, FUNCTIONS } from '../names.ts';

/** Functions that add matchers or definitions of equality to an assertion library: vitest, jest, chai, unittest. */
const EXTENDS_LIBRARY =
  /(?:^|\.)(?:expect\.(?:extend|addEqualityTesters)|chai\.use|Assertion\.(?:add|overwrite)\w+|addTypeEqualityFunc)$/;
/** Base types of matchers in Hamcrest, AssertJ, Mockito and PyHamcrest. */
const MATCHERS =
  /\b(?:BaseMatcher|TypeSafeMatcher|TypeSafeDiagnosingMatcher|DiagnosingMatcher|CustomMatcher|CustomTypeSafeMatcher|FeatureMatcher|ArgumentMatcher|AbstractAssert|Abstract\w+Assert|Matcher|Condition)\b/;
const CLASSES = new Set(['class_declaration', 'class_definition', 'object_creation_expression', 'class']);
const LIBRARIES = /^(?:expect|assert|should)$/;

/**
 * A matcher that the change defines. It decides which values pass, so a copy of a case with a wrong expected value
 * cannot show whether the case compares.
 */
export const ownAssertions: Inspection = {
  kind: 'own-assertions',
  *look(file) {
    const { text } = file;
    for (const node of addedNodes(file)) {
      const words = wordsFor(node, text);
      if (words !== null) yield { line: node.line, words: `${words} decides by itself what passes` };
    }
  },
};

function wordsFor(node: SyntaxNode, text: string): string | null {
  const matcher = CLASSES.has(node.kind) ? ofMatcher(node, text) : null;
  if (matcher !== null) return matcher;
  if (CALLS.has(node.kind)) {
    const name = chainOf(node, text).join('.');
    return EXTENDS_LIBRARY.test(name) ? `the argument of ${name}` : null;
  }
  const name = childOf(node, 'name');
  if (!LIBRARIES.test(plainText(name, text))) return null;
  const value = childOf(node, 'value');
  const isOwn = FUNCTIONS.has(node.kind) || (value !== null && isWritten(value));
  return isOwn && node.kind !== 'method_definition' ? `its own ${plainText(name, text)}` : null;
}

/** Whether a value is written here: a function, or an object with functions. A value from a library does not count. */
function isWritten(value: SyntaxNode): boolean {
  return (
    FUNCTIONS.has(value.kind) ||
    (value.kind === 'object' && [...nodesOf(value)].some(({ kind }) => FUNCTIONS.has(kind)))
  );
}

/** A class that is a matcher, also an anonymous class. */
function ofMatcher(node: SyntaxNode, text: string): string | null {
  const named = ['superclass', 'interfaces', 'superclasses'].map((field) => childOf(node, field));
  const isAnonymous =
    node.kind === 'object_creation_expression' && node.children.some(({ kind }) => kind === 'class_body');
  const bases = isAnonymous ? [childOf(node, 'type')] : named;
  const written = bases.flatMap((base) => (base === null ? [] : [plainText(base, text)])).join(' ');
  return MATCHERS.test(written) ? `a matcher of its own (${written})` : null;
}
