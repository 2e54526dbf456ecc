import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { namedChildren, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, CALLS, chainOf, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const SIGNS = /^(?:CI|TMPDIR|NODE_ENV|TEST|TESTING|npm_lifecycle_event|GITHUB_ACTIONS|HOSTNAME|container)$/;
const FRAMES = /^(?:inspect\.(?:stack|currentframe)|sys\._getframe|traceback\.(?:extract_stack|format_stack))$/;
const MEMBERS = new Set(['member_expression', 'subscript', 'subscript_expression', 'attribute']);
/** Command-line arguments, and the main file of the runtime. */
const ARGUMENTS = /^(?:(?:process|sys|Bun)\.argv|Deno\.(?:args|mainModule)|Bun\.main)$/;
const VARIABLE = /^(?:(?:process|Bun)\.env\.|(?:process|Bun)\.env\[['"]|os\.environ\[['"])(\w+)/;

/** Signs of a test run: variables of the environment, arguments, the call stack. */
export const asksIfTested: Inspection = {
  kind: 'asks-if-tested',
  *look(file) {
    for (const node of addedNodes(file)) {
      const words = CALLS.has(node.kind)
        ? aboutCall(node, file.text)
        : MEMBERS.has(node.kind)
          ? aboutMember(node, file.text)
          : null;
      if (words !== null) yield { line: node.line, words };
    }
  },
};

function aboutCall(call: SyntaxNode, text: string): string | null {
  const name = chainOf(call, text).join('.');
  if (FRAMES.test(name)) return `${name} shows who calls`;
  const [first] = argumentsOf(call);
  const key =
    /^(?:os\.(?:environ\.get|getenv)|Deno\.env\.(?:get|has))$/.test(name) && first !== undefined
      ? literalOf(first, text)
      : null;
  return key !== null && SIGNS.test(key) ? `it reads ${key}` : null;
}

function aboutMember(node: SyntaxNode, text: string): string | null {
  const source = plainText(node, text);
  const key = VARIABLE.exec(source)?.[1];
  const asked = key !== undefined && SIGNS.test(key) ? decision(node) : null;
  if (asked !== null && !(key === 'NODE_ENV' && isAboutProduction(node, text))) return `it reads ${key}`;
  if (/^\(?new\s+Error\([^)]*\)\)?\.stack$/.test(source) || /^Error\([^)]*\)\.stack$/.test(source)) {
    return 'the stack shows who calls';
  }
  if (!ARGUMENTS.test(source)) return null;
  const decided = decision(node);
  const isAboutTests = /test|spec|jest|mocha/i.test(plainText(decided, text));
  return isAboutTests ? 'it looks for tests in the command line' : null;
}

/** `NODE_ENV !== 'production'` is true in development too, not only in tests. */
function isAboutProduction(node: SyntaxNode, text: string): boolean {
  return /^['"](?:production|development)['"]$/.test(
    namedChildren(node.parent ?? node)
      .filter((each) => each !== node)
      .map((each) => plainText(each, text))
      .join(),
  );
}

const COMPARISONS = new Set(['comparison_operator', 'not_operator', 'boolean_operator', 'binary_expression']);

/** The largest condition or comparison that contains a node. */
function decision(node: SyntaxNode): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (let each: SyntaxNode | null = node; each !== null; each = each.parent) {
    if (each.field === 'condition' || COMPARISONS.has(each.kind)) found = each;
    if (/statement$|_definition$|declaration$/.test(each.kind)) break;
  }
  return found;
}
