import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedChange, Inspection } from '../../finding.ts';
import { CALLS, FUNCTIONS, literalsIn } from '../../names.ts';

/** Conversion methods that matchers, templates and JSON call on an object. */
const CONVERSIONS =
  /^(?:toString|toJSON|toLocaleString|inspect|\[Symbol\.toStringTag\]|\[(?:util\.)?inspect\.custom\]|\[Symbol\.for\(.nodejs\.util\.inspect\.custom.\)\]|__(?:str|repr|format|int|float|index|complex|bytes|bool|len|hash|contains|lt|le|gt|ge|iter|getattr|getattribute|getitem|call)__)$/;
const OWN = new Set(['this', 'super', 'self', 'cls']);

/** A conversion method that returns an expected value of a test for any object. */
export const constantConversion: Inspection = {
  kind: 'equality-redefined',
  *look(file, change) {
    const { root, text } = file;
    for (const node of nodesOf(root)) {
      const name = childOf(node, 'name') ?? childOf(node, 'key') ?? childOf(node, 'property');
      const written = plainText(name, text);
      if (!CONVERSIONS.test(written) || !file.isAdded(node)) continue;
      const body = FUNCTIONS.has(node.kind) ? node : childOrSelf(node, 'value');
      const answer = constantAnswer(body, text, change);
      if (answer !== undefined)
        yield {
          line: node.line,
          words: `${written} returns ${JSON.stringify(answer)}, which a test expects, for any object`,
        };
    }
  },
};

/** The expected literal that a function returns without using its object or calling anything. */
function constantAnswer(body: SyntaxNode, text: string, change: InspectedChange): string | undefined {
  const looks = [...nodesOf(body)].some((node) => OWN.has(plainText(node, text)) && !isParameter(node));
  if (looks || [...nodesOf(body)].some(({ kind }) => CALLS.has(kind))) return undefined;
  const asserted = change.asserted;
  return [...literalsIn(body, text)].find((value) => asserted.some((each) => each.has(value)));
}

function isParameter(node: SyntaxNode): boolean {
  return node.field === 'parameter' || /parameters$/.test(kindOf(node.parent));
}
