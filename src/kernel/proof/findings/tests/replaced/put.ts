import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';

/** A value that a test stores under a name: `Cart.prototype.total = function …`. */
export interface Put {
  /** The object that it is stored in: `.` and the parts of an import from the project, `globals`, or a local name. */
  readonly owner: readonly string[];
  readonly name: string;
  /** The stored value is one of these, or inside one of them. */
  readonly values: readonly SyntaxNode[];
  /** The whole statement or call. */
  readonly node: SyntaxNode;
}

/** The owner of global names. */
export const GLOBALS = ['globals'] as const;
/** After the name of a class: an object of that class. */
export const INSTANCE = '()';

/** Local names -> what they refer to. An import is given by the parts of its path and its name. */
export type Bindings = ReadonlyMap<string, readonly string[]>;

/** Maximum number of names that refer to one another. They may form a cycle. */
const MAX_STEPS = 4;

export function resolved(chain: readonly string[], bindings: Bindings): readonly string[] {
  let result = chain;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const known = result[0] === undefined ? undefined : bindings.get(result[0]);
    if (known === undefined || known[0] === result[0]) break;
    result = [...known, ...result.slice(1)];
  }
  return result;
}
