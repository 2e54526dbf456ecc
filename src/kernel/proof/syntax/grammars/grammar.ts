import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';

/** A text in place of another one; `shown`: what people read where it is long; `nothing`: what stands for no value at all. */
export type Replacement = string | { readonly replacement: string; readonly shown: string; readonly nothing: string };

/** What the product knows of a language beyond its grammar: which kinds of node play which role. */
export interface Grammar {
  /** Node kinds that make a function. */
  readonly functions: ReadonlySet<string>;
  /** Nodes that never run or are not the program's own logic: types, imports, annotations. */
  readonly inert: ReadonlySet<string>;
  /** Whether a node is a test inside of a source: nothing tests it. */
  readonly isTest?: (node: SyntaxNode, text: string) => boolean;
  readonly binary: ReadonlySet<string>;
  /** Compound assignments and increments. */
  readonly updates: ReadonlySet<string>;
  /** Branches, each with a field `condition`. */
  readonly branches: ReadonlySet<string>;
  /** Negations, each with one operand. */
  readonly negations: ReadonlySet<string>;
  readonly loops: ReadonlySet<string>;
  /** Loops over what is there: they end, whatever is counted in them. */
  readonly boundedLoops: ReadonlySet<string>;
  /** Functions, and methods of any object by `.name`, with what is easily taken for them: '' where the call can be left out. */
  readonly similarCalls: Readonly<Record<string, string>>;
  /** Statements whose removal leaves a program. */
  readonly removable: ReadonlySet<string>;
  /** Whether a node of such a kind is a statement in its place; absent: each is. */
  readonly isStatement?: (node: SyntaxNode) => boolean;
  /** What a removed statement leaves in its place. */
  readonly emptyStatement: string;
  readonly strings: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  /** A condition that holds where the given one does not. */
  negated(condition: string): string;
  /** The operator that is swapped for each operator, most telling first. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
  /** The expression that `node` makes a function return, or null. */
  returned(node: SyntaxNode, text: string): SyntaxNode | null;
  /** What a function could return in place of an expression, without breaking the program's form; null where nothing is known. */
  replacedReturn(expression: SyntaxNode, text: string): Replacement | null;
}
