import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { childOf, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { InspectedChange, InspectedFile, Place } from '../../../finding.ts';
import { calleeOf, CALLS, constantOf, FUNCTIONS } from '../../../names.ts';
import { isNumberType, namesDouble } from './double-words.ts';
import { comparedBy, isTypeName, nameOfCall } from './type-names.ts';
import type { Known } from './type-names.ts';

const PATTERNS = new Set(['regex', 'simple_symbol']);
const LOOKS_INSIDE = /include|contain|start|end|match|test|search|index|find|prefix|suffix/i;
/** Languages in which `Double` is the name of a test double and not of a number type. */
const WITHOUT_DOUBLE = new Set(['ruby', 'php']);

/** Calls that create a collection or pattern of their arguments. */
const DECLARES_WORDS =
  /^(?:new )?(?:\w+\.)*(?:\w*Set|\w*Map|set|frozenset|tuple|list|vec|compile|MustCompile|RegExp|freeze|of|asList|ArrayList)(?:<.*>)?$/;

/** Yields places that compare the type name of an object with the name of a test double. */
export function* comparedTypes(known: Known, change: InspectedChange): Generator<Place> {
  const { file, partsOf } = known;
  const nodes = [...nodesOf(file.root)];
  const types = new Set(nodes.filter((each) => isTypeName(each, known)));
  const words = new Set(types.size === 0 ? [] : nodes.filter((each) => isDouble(each, file, change)));
  if (words.size === 0) return;
  for (const node of nodes) {
    const compared = comparedBy(node, file);
    if (compared === null) continue;
    const parts = compared.flatMap((each) => [...partsOf(each)]);
    const type = parts.find((each) => types.has(each));
    const word =
      type === undefined
        ? undefined
        : parts.find((each) => words.has(each) && isWritten(each, node, file.text) && !isNumber(each, node, file));
    if (type === undefined || word === undefined) continue;
    if ([node, type, word].some((each) => file.isAdded(each)))
      yield { line: node.line, words: 'it checks by the name of its type whether an object is a test double' };
  }
}

function isDouble(node: SyntaxNode, file: InspectedFile, change: InspectedChange): boolean {
  const { text, language } = file;
  const value = PATTERNS.has(node.kind) ? plainText(node, text) : constantOf(node, text);
  if (value === null) return language === 'rust' && isOwnCrate(node, text);
  if (language === 'rust' && isNameOfCrate(node, value, text)) return true;
  return namesDouble(value) && !isOwnType(value, change);
}

/** Whether a word is written in the comparison itself, or in a constant that the comparison uses. */
function isWritten(word: SyntaxNode, question: SyntaxNode, text: string): boolean {
  if (word.start >= question.start && word.end <= question.end) return true;
  for (let each = word.parent; each !== null; each = each.parent) {
    if (FUNCTIONS.has(each.kind)) return false;
    if (/declarat|assignment|_spec$|_item$/.test(each.kind)) return true;
    const callee = CALLS.has(each.kind) ? calleeOf(each) : null;
    const name = each.kind === 'method_invocation' ? childOf(each, 'name') : callee;
    if (name !== null && !DECLARES_WORDS.test(plainText(name, text))) return false;
  }
  return false;
}

/** Whether the word `Double` means the number type, as in `equals("Double")`. In `contains("Double")` it does not. */
function isNumber(word: SyntaxNode, question: SyntaxNode, { text, language }: InspectedFile): boolean {
  if (WITHOUT_DOUBLE.has(language) || !isNumberType(constantOf(word, text) ?? '')) return false;
  const isPart = question.children.some(({ kind }) => kind === 'in') && word.parent === question;
  return !isPart && !LOOKS_INSIDE.test(nameOfCall(question, text));
}

/** Whether the changed sources declare a type of this name and the changed tests do not. */
function isOwnType(name: string, { sources, tests }: InspectedChange): boolean {
  if (!/^\w+$/.test(name)) return false;
  const declaration = new RegExp(String.raw`\b(?:class|interface|enum|record|struct|type|trait|module)\s+${name}\b`);
  const isIn = ({ text }: { readonly text: string }): boolean => declaration.test(text);
  return sources.some(isIn) && !tests.some(isIn);
}

const CRATE = /^[a-z_]\w*(?:::)?$/;
const OF_RUST = /^(?:std|core|alloc)(?:::)?$/;

/**
 * The name of a type in Rust begins with the name of its crate. Types of integration tests begin with another crate
 * name.
 */
function isNameOfCrate(literal: SyntaxNode, value: string, text: string): boolean {
  const call = literal.parent?.parent;
  const isPrefix = call?.kind === 'call_expression' && /\.starts_with\(/.test(plainText(call, text));
  return isPrefix && CRATE.test(value) && !OF_RUST.test(value);
}

function isOwnCrate(node: SyntaxNode, text: string): boolean {
  return node.kind === 'macro_invocation' && /^(?:module_path!|env!\("CARGO_)/.test(plainText(node, text));
}
