import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { nodesOf } from '../../../syntax/walk.ts';
import type { Inspection, InspectedFile } from '../../finding.ts';
import { CALLS, lastName } from '../../names.ts';
import { demandedErrors } from '../../tests/error-assertions.ts';
import { undeclaredNames } from '../unexamined/undeclared-names.ts';

const RAISES = /^(?:throw_(?:statement|expression)|raise_statement|assert_statement|try_expression)$/;
/** Names of calls that reject or raise. Parsers count too, because they raise for invalid input. */
const RAISING =
  /^(?:reject|panic|unwrap\w*|unreachable|todo|abort|exit|fail|raise\w*|throw\w*|orElseThrow)$|(?:assert|check|ensure|valid|verify|require|expect|parse|must|decode|guard)/i;

/**
 * A test that expects an error also accepts an accidental error of the program. Two cases are reported: a name without
 * a declaration, and, if the tests expect only errors, sources in which no code raises one.
 */
export const accidentalError: Inspection = {
  kind: 'accidental-error',
  *look(file, change) {
    const { all, errors, isSpecific } = demandedErrors(change);
    if (errors === 0) return;
    for (const { line, name } of undeclaredNames(file))
      yield { line, words: `nothing declares ${name}, and the tests expect an error` };
    const [first] = change.sources;
    if (all > errors || isSpecific || file !== first || change.sources.some(raises)) return;
    yield { line: 1, words: 'the new tests expect only errors, and nothing in the changed sources raises one' };
  },
};

function raises({ root, text }: InspectedFile): boolean {
  return [...nodesOf(root)].some(
    (node) => RAISES.test(node.kind) || (CALLS.has(node.kind) && RAISING.test(calledName(node, text))),
  );
}

function calledName(call: SyntaxNode, text: string): string {
  return lastName(call, text);
}
