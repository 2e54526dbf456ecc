import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';

/** What a test puts into something by a name: `Cart.prototype.total = function …`. */
export interface Put {
  /** What it is put into: `.` and the parts of what is imported from the project, `globals`, or a name that nothing tells more of. */
  readonly owner: readonly string[];
  readonly name: string;
  /** Among these is what is put there. */
  readonly values: readonly SyntaxNode[];
  /** All of it, as it is written. */
  readonly node: SyntaxNode;
}

/** The owner of what every file can use by its name alone. */
export const GLOBALS = ['globals'] as const;
/** Behind a class: one object of it. */
export const INSTANCE = '()';

/** Local names -> what they are; of an import the parts of its path and its name. */
export type Bindings = ReadonlyMap<string, readonly string[]>;

/** Names may be names for names, but not without an end. */
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
