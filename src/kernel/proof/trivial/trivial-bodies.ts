import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { functionName } from '../findings/names.ts';
import { GRAMMARS } from '../syntax/grammars/grammars.ts';
import { childOf, namedChildren, textOf } from '../syntax/walk.ts';

/**
 * A function body that does no work: it returns its first parameter (`given`), or always the same value (`constant`).
 */
export const TRIVIAL_FORMS = ['given', 'constant'] as const;
export type TrivialForm = (typeof TRIVIAL_FORMS)[number];

/** Constructors, and functions that the language calls. */
const SPECIAL = /^(?:constructor|initialize|init|main|__\w+)$/;
/** Functions that compare. If tests only use them to find things equal, they may find everything equal. */
const EQUALITY = /^(?:is_?)?(?:equals?|eql?|same|identical|matches)(?:_?to|_?as)?\??$/i;
const NAME = /^\$?[A-Za-z_]\w*$/;
/** Languages that check types before tests run, and languages that can cast a value to any type. */
const TYPED = new Set<SyntaxLanguage>(['go', 'java', 'rust', 'cpp']);
const CAST = new Set<SyntaxLanguage>(['typescript', 'tsx']);
const OF_METHODS = /^(?:self|cls|this|\$this)$/;

/**
 * Pure: returns a body that does no work and with which the program still builds; null if no such body is known for the
 * types.
 */
export function trivialBody(
  form: TrivialForm,
  node: SyntaxNode,
  { language, text }: { readonly language: SyntaxLanguage; readonly text: string },
): string | null {
  const name = GRAMMARS[language].functions.has(node.kind) ? functionName(node) : null;
  if (name === null || SPECIAL.test(textOf(name, text))) return null;
  const type = returnType(node, text);
  const constant = EQUALITY.test(textOf(name, text)) ? truth(type, language) : constantValue(type, language);
  const value = form === 'given' ? givenValue(node, language, text) : constant;
  if (value === null) return null;
  switch (language) {
    case 'ruby':
      return value;
    case 'python':
      return `return ${value}`;
    case 'rust':
      return `{ #![allow(warnings)] ${value} }`;
    case 'go':
      return `{ return ${value} }`;
    case 'java':
    case 'php':
    case 'cpp':
      return `{ return ${value}; }`;
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return childOf(node, 'body')?.kind === 'statement_block' ? `{ return ${value}; }` : `(${value})`;
  }
}

/** The first parameter, if the function can return it without a change of type. */
function givenValue(node: SyntaxNode, language: SyntaxLanguage, text: string): string | null {
  const first = firstParameter(node, text);
  if (first === null) return null;
  const returned = returnType(node, text);
  if (language === 'rust') return rustValue(first, returned);
  if (language === 'go' && returned === `(${first.type}, error)`) return `${first.name}, nil`;
  if (language === 'go' || language === 'java') return returned === first.type ? first.name : null;
  return CAST.has(language) ? `${first.name} as any` : first.name;
}

const WRAPPERS = { rust: /^(Option|Result)<([^,]+?)(?:,.*)?>$/s, java: /^(Optional)<(.+)>$/s } as const;
/** Functions that create a value of these types. */
const MAKERS = new Map([
  ['Option', 'Some'],
  ['Result', 'Ok'],
  ['Optional', 'java.util.Optional.of'],
]);
const JAVA_BOXED = new Map([
  ['Integer', '0'],
  ['Long', '0L'],
  ['Double', '0.0'],
  ['Boolean', 'false'],
]);

/** The first parameter, converted to an owned value if it is borrowed. */
function rustValue({ name, type }: Parameter, returned: string): string | null {
  const [, wrapper = '', inner = returned] = WRAPPERS.rust.exec(returned) ?? [];
  const isBorrowed = type === '&str' && inner === 'String';
  if (type !== inner && !isBorrowed) return null;
  const value = isBorrowed ? `${name}.to_string()` : name;
  return wrapper === '' ? value : wrapped(wrapper, value);
}

const wrapped = (wrapper: string, value: string): string => `${MAKERS.get(wrapper) ?? wrapper}(${value})`;

const NUMBERS = /^(?:[iuf](?:8|16|32|64|128|size)|u?int(?:8|16|32|64)?|float(?:32|64)?|byte|short|long|double)$/;

function constantValue(type: string, language: SyntaxLanguage): string | null {
  const cast = CAST.has(language) ? ' as any' : '';
  if (NUMBERS.test(type)) return /^(?:f\d|float|double)/.test(type) ? '0.0' : '0';
  if (/^(?:string|String)$/.test(type)) return language === 'rust' ? 'String::new()' : '""';
  if (/^bool(?:ean)?$/.test(type)) return 'false';
  if (language === 'java' && JAVA_BOXED.has(type)) return JAVA_BOXED.get(type) ?? null;
  if (language === 'rust' || language === 'java') return wrappedConstant(type, language);
  return TYPED.has(language) ? null : `0${cast}`;
}

function truth(type: string, language: SyntaxLanguage): string | null {
  if (TYPED.has(language) && !/^bool(?:ean)?$/.test(type)) return constantValue(type, language);
  return language === 'python' ? 'True' : `true${CAST.has(language) ? ' as any' : ''}`;
}

/** A constant inside of a wrapper type. */
function wrappedConstant(type: string, language: 'rust' | 'java'): string | null {
  const [, wrapper = '', inner] = WRAPPERS[language].exec(type) ?? [];
  const value = inner === undefined ? null : constantValue(inner, language);
  return value === null ? null : wrapped(wrapper, value);
}

function returnType(node: SyntaxNode, text: string): string {
  const type = ['return_type', 'result', 'type'].map((field) => childOf(node, field)).find((each) => each !== null);
  return type === null || type === undefined ? '' : textOf(type, text).replace(/^(?:->|:)\s*/, '');
}

interface Parameter {
  readonly name: string;
  readonly type: string;
}

/** The first parameter after the object itself; null if it has no plain name. */
function firstParameter(node: SyntaxNode, text: string): Parameter | null {
  const list = childOf(node, 'parameters');
  const only = childOf(node, 'parameter');
  const all = list === null ? [only].filter((each) => each !== null) : namedChildren(list);
  const own = all.filter((each) => each.kind !== 'self_parameter' && !OF_METHODS.test(textOf(each, text)));
  return own[0] === undefined ? null : parameterOf(own[0], text);
}

function parameterOf(node: SyntaxNode, text: string): Parameter | null {
  const named = ['name', 'pattern', 'left'].map((field) => childOf(node, field)).find((each) => each !== null);
  const first = node.kind.startsWith('typed_') ? namedChildren(node)[0] : undefined;
  const name = textOf(named ?? first ?? node, text);
  const type = childOf(node, 'type');
  return NAME.test(name) ? { name, type: type === null ? '' : textOf(type, text).replace(/^:\s*/, '') } : null;
}
