import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import type { InspectedFile } from '../finding.ts';
import { CALLS, literalOf, literalsIn } from '../names.ts';
import { isCommon } from '../source/answers/answers.ts';
import { writtenTests } from './languages/written-tests.ts';

const COMPILED = new Set<string>(['go', 'rust', 'java', 'php', 'cpp']);
/** Maximum number of literals in one case. With more, some pair occurs by chance. */
const MAX_LITERALS = 40;
/** Functions that only compare, report or register a case. */
const REPORTS =
  /assert|expect|equal|\beql?\b|should|must_|\.to[A-Z]|\.is\b|require|fatal|error|log|^(?:it|test|each|describe)\b|\.(?:each|forEach|Run)$/i;
const ROWS = new Set([
  'array',
  'list',
  'tuple',
  'literal_value',
  'array_expression',
  'tuple_expression',
  'array_initializer',
  'array_creation_expression',
]);
const EXPECTED_KEY = /want|expect|out|result|answer/i;

/** Returns the literals of each assertion in the changed tests. */
export function assertedLiterals(tests: readonly InspectedFile[]): ReadonlySet<string>[] {
  return tests.flatMap((file) => {
    const written = writtenTests(file.language, file);
    // In these languages the input is often in another statement or in a row of a table, and the assertion compares
    // variables. So the literals of the whole case are used.
    if (COMPILED.has(file.language)) {
      const bodies =
        file.language === 'php'
          ? [...written.cases.map(({ body }) => body), ...providers(file)]
          : written.cases.map(({ body }) => body);
      const all = bodies.map((body) => literalsIn(body, file.text));
      return all.filter(({ size }) => size > 0 && size <= MAX_LITERALS);
    }
    return written.cases.flatMap(({ body }) => {
      const whole = literalsIn(body, file.text);
      const assertions = written.assertions(body).map((each) => literalsIn(each, file.text));
      // An assertion with nothing but the answer: the case has made the input before it.
      const inputs = whole.size > MAX_LITERALS || !assertions.some(({ size }) => size === 1) ? [] : [whole];
      return [...assertions, ...inputs].filter((literals) => literals.size > 0);
    });
  });
}

/** Rows of data providers: methods of a test class that return a table or yield rows. */
function* providers({ root, text }: InspectedFile): Generator<SyntaxNode> {
  for (const node of nodesOf(root)) {
    const { parent } = node;
    const isYielded = node.kind === 'yield_expression' && !yieldsFrom(node, text);
    const isTable =
      parent?.kind === 'return_statement' || (parent?.kind === 'yield_expression' && yieldsFrom(parent, text));
    if (isYielded) yield node;
    else if (node.kind === 'array_creation_expression' && isTable) yield* namedChildren(node);
  }
}

function yieldsFrom(node: SyntaxNode, text: string): boolean {
  return /^yield\s+from\b/i.test(text.slice(node.start, node.end));
}

/** Returns the numbers that the changed tests expect. Input values are left out. */
export function expectedNumbers(tests: readonly InspectedFile[]): ReadonlySet<string> {
  return new Set(tests.flatMap((test) => [...expectedIn(test, NO_TEXTS)]));
}

/** Returns the texts that the changed tests expect. */
export function expectedTexts(tests: readonly InspectedFile[]): ReadonlySet<string> {
  return new Set(tests.flatMap((test) => [...expectedIn(test, /string/)]));
}

const NO_TEXTS = /^(?!.*string)/;

function expectedIn(test: InspectedFile, kinds: RegExp): Set<string> {
  const found = new Set<string>();
  for (const { body } of writtenTests(test.language, test).cases)
    for (const node of nodesOf(body)) {
      const value = kinds.test(node.kind) ? literalOf(node, test.text) : null;
      if (value !== null && !isCommon(value) && isExpected(node, body, test.text)) found.add(value);
    }
  return found;
}

function isExpected(node: SyntaxNode, body: SyntaxNode, text: string): boolean {
  for (let each = node; each.parent !== null && each !== body; each = each.parent) {
    const { parent } = each;
    // Arguments of a call inside a macro.
    if (parent.kind === 'token_tree' && parent.parent?.kind === 'token_tree') return false;
    if (CALLS.has(parent.kind))
      return REPORTS.test(text.slice(parent.start, childOf(parent, 'arguments')?.start ?? parent.end));
    if (parent.kind === 'pair' || parent.kind === 'keyed_element')
      return EXPECTED_KEY.test(plainText(parent.children[0] ?? parent, text));
    if (ROWS.has(parent.kind) && namedChildren(parent).at(-1) !== each) return false;
  }
  return true;
}
