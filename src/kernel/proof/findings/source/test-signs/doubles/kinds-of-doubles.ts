import type { SyntaxLanguage, SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../../syntax/walk.ts';
import { addedNodes } from '../../../added-nodes.ts';
import type { InspectedFile, Place } from '../../../finding.ts';
import { argumentsOf, calleeOf, chainOf, literalOf } from '../../../names.ts';
import { phpCall } from '../../../php-calls.ts';
import { isDecisive } from './decisive.ts';
import { isOfObject } from './type-names.ts';
import type { Known } from './type-names.ts';

type Asks = (node: SyntaxNode, known: Known) => string | null;

const LANGUAGES: ReadonlyMap<SyntaxLanguage, Asks> = new Map<SyntaxLanguage, Asks>([
  ['python', inPython],
  ['ruby', inRuby],
  ['go', inGo],
  ['java', inJava],
  ['php', inPhp],
]);

/** Yields checks for a class or method that only libraries for test doubles have. */
export function* kindsOfDoubles(known: Known): Generator<Place> {
  const { file } = known;
  const asks = LANGUAGES.get(file.language);
  if (asks === undefined) return;
  for (const node of addedNodes(file)) {
    const name = asks(node, known);
    if (name !== null) yield { line: node.line, words: `${name} shows whether an object is a test double` };
  }
}

const CLASS_OF_PYTHON = /^(?:NonCallable)?(?:Magic|Async|Property)?Mock$/;

/** `isinstance(x, (Mock, MagicMock))`, `type(x) is Mock`; not if the program declares the class. */
function inPython(node: SyntaxNode, { file }: Known): string | null {
  const { text } = file;
  const callee = node.kind === 'call' ? calleeOf(node) : null;
  const isCall = /^(?:isinstance|issubclass)$/.test(plainText(callee, text));
  const isComparison = node.kind === 'comparison_operator' && /\btype\(|\.__class__\b/.test(plainText(node, text));
  if (!isCall && !isComparison) return null;
  const asked = isCall ? argumentsOf(node).slice(1) : namedChildren(node);
  for (const each of asked.flatMap((side) => [...nodesOf(side)])) {
    if (each.kind !== 'identifier') continue;
    const name = plainText(each, text);
    if (CLASS_OF_PYTHON.test(name) && (each.field === 'attribute' || !isOfProgram(name, file))) return name;
  }
  return null;
}

function isOfProgram(name: string, { root, text }: InspectedFile): boolean {
  return [...nodesOf(root)].some((each) => {
    if (each.kind === 'class_definition') return plainText(childOrSelf(each, 'name'), text) === name;
    if (each.kind !== 'import_from_statement') return false;
    const imported = plainText(each, text);
    return new RegExp(String.raw`\b${name}\b`).test(imported) && !/^from\s+(?:unittest|mock)\b/.test(imported);
  });
}

const METHOD_OF_RUBY =
  /^(?:expects?|stubs|unstub|stub_chain|should_receive|should_not_receive|and_return|received_message\?|as_null_object|null_object\?|__mock_\w+)$/;
const REFLECTS_IN_RUBY = /^(?:respond_to\?|method_defined\?|method|public_method)$/;

function inRuby(node: SyntaxNode, { file: { text } }: Known): string | null {
  const written = plainText(node, text);
  if (node.kind === 'constant') return /^(?:Mocha|FlexMock)$/.test(written) && isDecisive(node, text) ? written : null;
  const called = node.kind === 'call' ? chainOf(node, text) : [];
  const [owner = '', method = ''] = ['', ...called].slice(-2);
  if (!REFLECTS_IN_RUBY.test(method) && !(method === 'include?' && /methods$/.test(owner))) return null;
  const names = argumentsOf(node).map((each) => literalOf(each, text) ?? plainText(each, text).replace(/^:/, ''));
  return names.find((each) => METHOD_OF_RUBY.test(each)) ?? null;
}

/** A type assertion with a method of testify or gomock. */
function inGo(node: SyntaxNode, { file: { text } }: Known): string | null {
  if (node.kind !== 'method_elem') return null;
  const name = plainText(childOrSelf(node, 'name'), text);
  const isQuestion = above(node, ({ kind }) => /^type_(?:assertion|switch|case)/.test(kind)) !== null;
  return isQuestion && /^(?:Assert(?:Expectations|(?:Not)?Called|NumberOfCalls)|EXPECT|ISGOMOCK)$/.test(name)
    ? name
    : null;
}

function inJava(node: SyntaxNode, { file: { text }, partsOf }: Known): string | null {
  const name = node.kind === 'method_invocation' ? plainText(childOrSelf(node, 'name'), text) : '';
  if (name === 'mockingDetails') return name;
  const object = childOf(node, 'object');
  if (object === null || !isDecisive(node, text)) return null;
  if (/^is(?:Mock|Spy)$/.test(name)) return /\bMock(?:ito|Util)\b/.test(plainText(object, text)) ? name : null;
  return /^is(?:Anonymous|Local)Class$|^is(?:Hidden|Synthetic)$/.test(name) && isOfObject(object, text, partsOf)
    ? name
    : null;
}

const CLASS_OF_PHP =
  /^(?:MockObject(?:Internal)?|StubInternal|(?:Legacy)?MockInterface|ProphecySubjectInterface|ObjectProphecy)$/;
const METHOD_OF_PHP = /^(?:expects|shouldReceive|shouldHaveReceived|getProphecy|__phpunit_\w+|mockery_\w+)$/;

/** `$m instanceof MockObject`, `is_a($m, MockObject::class)`, `method_exists($m, 'expects')`. */
function inPhp(node: SyntaxNode, { file: { text } }: Known): string | null {
  const call = phpCall(node, text);
  const isReflection = call !== null && /^(?:method_exists|is_callable|property_exists|in_array)$/i.test(call.name);
  if (isReflection) {
    const values = [...nodesOf(node)].map((each) => literalOf(each, text));
    return values.find((each) => each !== null && METHOD_OF_PHP.test(each)) ?? null;
  }
  if (node.kind !== 'name' || !CLASS_OF_PHP.test(plainText(node, text))) return null;
  const whole = node.parent?.kind === 'qualified_name' ? node.parent : node;
  return /^(?:binary|class_constant_access)_expression$/.test(kindOf(whole.parent)) && isDecisive(whole, text)
    ? plainText(node, text)
    : null;
}
