import type { SyntaxLanguage, SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../../syntax/walk.ts';
import { addedNodes } from '../../../added-nodes.ts';
import type { InspectedFile, Place } from '../../../finding.ts';
import {
  argumentsOf,
  calleeOf,
  CALLS,
  constantOf,
  functionName,
  FUNCTIONS,
  indexOf,
  SUBSCRIPTS,
} from '../../../names.ts';
import { isDecisive } from './decisive.ts';
import { isCalled, parametersOf, plainObject } from './called-things.ts';
import type { CalledThings } from './called-things.ts';
import type { Known } from './type-names.ts';

interface Names {
  /** Members that only test doubles have. */
  readonly sure: RegExp;
  /** Members that a function has only if it is a test double. */
  readonly ofFunction: RegExp;
  /** Those of `ofFunction` that show a test double on any object, if they are looked up by a text. */
  readonly ifNamed: RegExp;
}

const JAVASCRIPT: Names = {
  sure: /^(?:_isMockFunction|isSinonProxy|getMock(?:Name|Implementation)|mock(?:Implementation|ReturnValue|ResolvedValue|RejectedValue)(?:Once)?|mock(?:Clear|Reset|Restore|Name)|invocationCallOrder)$/,
  ofFunction:
    /^(?:mock|callCount|called(?:Once|Twice|Thrice|With|OnceWith)?|notCalled|(?:first|second|third|last)Call|getCalls?|calls|clock|wrappedMethod|returnValues|thisValues|restore)$/,
  ifNamed: /^$/,
};
const PYTHON: Names = {
  sure: /^(?:assert_(?:called|any_call|has_calls|not_called|awaited|any_await|has_awaits|not_awaited)\w*|_mock_\w+|mock_calls|mock_add_spec|reset_mock|_spec_class)$/,
  ofFunction: /^(?:called|call_count|call_args(?:_list)?|method_calls|return_value|side_effect|await_(?:count|args))$/,
  ifNamed: /^(?:call_count|call_args(?:_list)?|method_calls|return_value|side_effect|await_(?:count|args))$/,
};
const LANGUAGES: ReadonlyMap<SyntaxLanguage, Names> = new Map([
  ['javascript', JAVASCRIPT],
  ['typescript', JAVASCRIPT],
  ['tsx', JAVASCRIPT],
  ['python', PYTHON],
]);
const BY_NAME = /(?:^|\.)(?:hasattr|getattr|dir|vars|has|hasOwn|hasOwnProperty|includes|get|getOwnPropertyDescriptor)$/;

/** Yields checks in JavaScript and Python for a member that only test doubles have. */
export function* membersOfDoubles({ file, called }: Known): Generator<Place> {
  const names = LANGUAGES.get(file.language);
  if (names === undefined) return;
  for (const node of addedNodes(file)) {
    const name = askedMember(node, file, names, called);
    if (name !== null) yield { line: node.line, words: `${name} is a member of test doubles` };
  }
}

function askedMember(node: SyntaxNode, file: InspectedFile, names: Names, called: CalledThings): string | null {
  const { text } = file;
  const member = memberOf(node, text);
  if (member !== null) {
    const { object, name } = member;
    const isOfDouble = names.sure.test(name) || isCallsOfMock(object, name, text);
    const isOfFunction = names.ofFunction.test(name) && isFunction(object, file, called);
    if (!isOfDouble && !(isOfFunction && !isOwnData(node, name, file))) return null;
    return isDecisive(node, text) ? `.${name}` : null;
  }
  const key = patternKey(node, text);
  if (key !== null) {
    const declarator = above(node, ({ kind }) => kind === 'variable_declarator' || FUNCTIONS.has(kind));
    const value = declarator?.kind === 'variable_declarator' ? childOf(declarator, 'value') : null;
    const isOfFunction = value !== null && names.ofFunction.test(key) && isFunction(value, file, called);
    return names.sure.test(key) || isOfFunction ? `.${key}` : null;
  }
  return namedMember(node, file, names, called);
}

interface Member {
  readonly object: SyntaxNode;
  readonly name: string;
}

/** `send.mock`, `send['mock']`. */
function memberOf(node: SyntaxNode, text: string): Member | null {
  const object = childOf(node, 'object') ?? childOf(node, 'value');
  if (object === null) return null;
  if (SUBSCRIPTS.has(node.kind)) {
    const index = indexOf(node);
    const name = index === null ? null : constantOf(index, text);
    return name === null ? null : { object, name };
  }
  if (node.kind !== 'member_expression' && node.kind !== 'attribute') return null;
  const name = childOf(node, 'property') ?? childOf(node, 'attribute');
  return name === null ? null : { object, name: plainText(name, text) };
}

/** `store.save.mock.calls`. */
function isCallsOfMock(object: SyntaxNode, name: string, text: string): boolean {
  return name === 'calls' && memberOf(object, text)?.name === 'mock';
}

/** `const { mock } = send`. */
function patternKey(node: SyntaxNode, text: string): string | null {
  const isKey = node.kind === 'property_identifier' && node.parent?.kind === 'pair_pattern' && node.field === 'key';
  return isKey || node.kind === 'shorthand_property_identifier_pattern' ? plainText(node, text) : null;
}

/** `hasattr(send, "assert_called")`, `'mock' in send`, `Object.hasOwn(send, 'mock')`. */
function namedMember(node: SyntaxNode, file: InspectedFile, names: Names, called: CalledThings): string | null {
  const { text } = file;
  const isIn = /^(?:binary_expression|comparison_operator)$/.test(node.kind) && node.children.some(isInOperator);
  const callee = CALLS.has(node.kind) ? calleeOf(node) : null;
  if (!isIn && !BY_NAME.test(plainText(callee, text))) return null;
  const sides = isIn ? namedChildren(node) : argumentsOf(node);
  const name = sides.map((each) => constantOf(each, text)).find((each) => each !== null && isMember(each, names));
  if (name === undefined || name === null) return null;
  if (names.sure.test(name) || names.ifNamed.test(name)) return `.${name}`;
  const owner = childOf(callee, 'object');
  const things = owner === null ? sides : [owner, ...sides];
  const inner = things.flatMap((each) => (CALLS.has(each.kind) ? argumentsOf(each) : [each]));
  return inner.some((each) => isFunction(each, file, called)) ? `.${name}` : null;
}

const isInOperator = ({ kind }: SyntaxNode): boolean => kind === 'in' || kind === 'not in';
const isMember = (name: string, { sure, ofFunction }: Names): boolean => sure.test(name) || ofFunction.test(name);

/** Whether the program itself assigns the member: `callback.called = true`. */
function isOwnData(member: SyntaxNode, name: string, { root, text }: InspectedFile): boolean {
  const written = plainText(member, text);
  return (
    name !== 'mock' &&
    [...nodesOf(root)].some((each) => {
      const isUpdate = /^(?:(?:augmented_)?assignment(?:_expression)?|update_expression)$/.test(each.kind);
      const target = isUpdate ? (childOf(each, 'left') ?? childOf(each, 'argument')) : null;
      return target !== null && plainText(target, text) === written;
    })
  );
}

/** Whether the file calls the object. If it is a parameter, also whether a caller passes something that is called. */
function isFunction(object: SyntaxNode, { text }: InspectedFile, called: CalledThings): boolean {
  if (isCalled(object, text, called)) return true;
  const around = above(object, ({ kind }) => FUNCTIONS.has(kind));
  const own = around === null ? null : functionName(around);
  if (around === null || own === null || !parametersOf(around, text).has(plainObject(object, text))) return false;
  const places = called.get(plainText(own, text)) ?? [];
  return places.some((call) => argumentsOf(call).some((each) => isCalled(each, text, called)));
}
