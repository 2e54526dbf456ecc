import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, FUNCTIONS, identifiersIn, literalOf } from '../../names.ts';

const READS = /^(?:read(?:Text)?File(?:Sync)?|file|createReadStream|open|openSync)$/;
const OWN_FILE =
  /^(?:__filename|__file__|import\.meta\.(?:url|filename|path)|new URL\(import\.meta\.url\)|fileURLToPath\(import\.meta\.url\))$/;
const OF_PYTHON = /(?:^|\.)getsource(?:lines|file)?$|^dis\.\w+$/;
/** Only reads of the path itself match: `Path(__file__).parent / 'a.json'` is another file. */
const READS_PATH = /\bPath\(__file__\)(?:\.(?:resolve|absolute)\(\))?\.(?:read_text|read_bytes|open)$/;
const CODE_OF_PYTHON = /^(?:__code__|co_code|co_consts|func_code)$/;
const OF_RUST = /^include_(?:str|bytes)!\s*[([{]\s*(?:file!|"[^"]*\.rs")/;
const JAVASCRIPT = new Set(['javascript', 'typescript', 'tsx']);
const WORDS = 'it reads its own text, so it can notice each mutant without a test';

/** Source that reads its own text. It can fail after any change of the text, so mutants are noticed without a test. */
export const readsItself: Inspection = {
  kind: 'reads-itself',
  *look(file) {
    // Only in JavaScript can a function be converted to its text. In other languages a variable of that name is
    // something else.
    const functions = JAVASCRIPT.has(file.language) ? functionNames(file) : new Set<string>();
    for (const node of addedNodes(file))
      if (isRead(node, file.text, functions)) yield { line: node.line, words: WORDS };
  },
};

function isRead(node: SyntaxNode, text: string, functions: ReadonlySet<string>): boolean {
  if (node.kind === 'macro_invocation') return OF_RUST.test(plainText(node, text));
  if (node.kind === 'attribute') return CODE_OF_PYTHON.test(plainText(childOrSelf(node, 'attribute'), text));
  if (node.kind === 'string') return CODE_OF_PYTHON.test(literalOf(node, text) ?? '');
  if (/^binary_(?:expression|operator)$/.test(node.kind)) return isJoined(node, text, (name) => isFunction(node, name));
  if (node.kind === 'template_substitution') return isFunction(node, plainText(node, text).slice(2, -1));
  if (!CALLS.has(node.kind)) return false;
  const chain = chainOf(node, text);
  const given = argumentsOf(node).map((each) => plainText(each, text));
  const last = lastText(chain);
  if (OF_PYTHON.test(chain.join('.'))) return true;
  const callee = calleeOf(node);
  if (READS_PATH.test(plainText(callee, text))) return true;
  if (READS.test(last)) return OWN_FILE.test(firstText(given));
  if (chain.join('.') === 'String') return isFunction(node, firstText(given));
  if (/^Function\.prototype\.toString\.(?:call|apply)$/.test(chain.join('.'))) return true;
  return last === 'toString' && (isFunction(node, chain.slice(0, -1).join('.')) || chain.includes('callee'));

  function isFunction(place: SyntaxNode, name: string): boolean {
    return functions.has(name) && !isAnotherHere(place, name, text);
  }
}

/** Whether an outer function has a parameter or variable of this name that is not a function. */
function isAnotherHere(node: SyntaxNode, name: string, text: string): boolean {
  const around = above(node, ({ kind }) => FUNCTIONS.has(kind));
  if (around === null) return false;
  const given = childOf(around, 'parameters') ?? childOf(around, 'parameter');
  if (given !== null && identifiersIn(given, text).has(name)) return true;
  const isDeclared = [...nodesOf(around)].some(
    (each) =>
      each.kind === 'variable_declarator' &&
      plainText(childOrSelf(each, 'name'), text) === name &&
      above(each, ({ kind }) => FUNCTIONS.has(kind)) === around &&
      !isOwnFunction(childOf(each, 'value')),
  );
  return isDeclared || isAnotherHere(around, name, text);
}

function isOwnFunction(value: SyntaxNode | null): boolean {
  return value !== null && (FUNCTIONS.has(value.kind) || /^(?:class|identifier$)/.test(value.kind));
}

/** `mul + ''`. */
function isJoined(node: SyntaxNode, text: string, isFunction: (name: string) => boolean): boolean {
  const operator = operatorOf(node);
  const isPlus = plainText(operator, text) === '+';
  return isPlus && namedChildren(node).some((side) => isFunction(plainText(side, text)));
}

function functionNames({ root, text }: SourceText): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(root)) {
    const value = node.kind === 'variable_declarator' ? childOf(node, 'value') : node;
    const isNamed = value !== null && (FUNCTIONS.has(value.kind) || /^class/.test(value.kind));
    const name = isNamed ? childOf(node, 'name') : null;
    if (name !== null && node.kind !== 'method_definition') found.add(plainText(name, text));
  }
  return found;
}
