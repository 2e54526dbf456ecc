import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { argumentsOf, calleeOf, CALLS } from '../findings/names.ts';
import { childOf, namedChildren, textOf } from '../syntax/walk.ts';

/** An import as CommonJS writes it: `const { a, b: c } = require('./a')`. */
export interface Required {
  readonly module: string;
  /** The texts between the braces, or the one name if there are no braces. */
  readonly specifiers: ReadonlySet<string>;
}

const DECLARATIONS = new Set(['lexical_declaration', 'variable_declaration']);

/** Returns null for any other statement, because its effects are not known. */
export function requiredNames(statement: SyntaxNode, text: string): Required | null {
  if (!DECLARATIONS.has(statement.kind)) return null;
  const [declarator, ...others] = namedChildren(statement);
  const name = childOf(declarator, 'name');
  const call = childOf(declarator, 'value');
  if (name === null || call === null || others.length > 0 || !CALLS.has(call.kind)) return null;
  const [module, ...more] = argumentsOf(call);
  const callee = calleeOf(call);
  const isRequire = callee?.kind === 'identifier' && textOf(callee, text) === 'require';
  if (!isRequire || module?.kind !== 'string' || more.length > 0) return null;
  const written = name.kind === 'object_pattern' ? namedChildren(name) : [name];
  const isPlain = written.every(({ kind }) =>
    ['identifier', 'shorthand_property_identifier_pattern', 'pair_pattern'].includes(kind),
  );
  if (!isPlain) return null;
  return { module: textOf(module, text), specifiers: new Set(written.map((each) => textOf(each, text))) };
}

/** The names that the file gives to the imported values. */
export function namesOfRequired({ specifiers }: Required): Set<string> {
  return new Set([...specifiers].map((each) => each.split(':').at(-1)?.trim() ?? each));
}
