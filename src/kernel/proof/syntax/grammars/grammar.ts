import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';

/**
 * A text that replaces another. `shown`: a short form for people. `nothing`: the language's empty value, such as
 * `undefined`.
 */
export type Replacement = string | { readonly replacement: string; readonly shown: string; readonly nothing: string };

/** The roles of node kinds in one language. */
export interface Grammar {
  /** Node kinds of functions. */
  readonly functions: ReadonlySet<string>;
  /** Nodes that never run or are not logic of the program: types, imports, annotations. */
  readonly inert: ReadonlySet<string>;
  /** Whether a node is a test inside a source. Tests are not mutated. */
  readonly isTest?: (node: SyntaxNode, text: string) => boolean;
  readonly binary: ReadonlySet<string>;
  /** Compound assignments and increments. */
  readonly updates: ReadonlySet<string>;
  /** Branches, each with a field `condition`. */
  readonly branches: ReadonlySet<string>;
  /** Negations, each with one operand. */
  readonly negations: ReadonlySet<string>;
  readonly loops: ReadonlySet<string>;
  /** Loops over a collection. They end, whatever their body counts. */
  readonly boundedLoops: ReadonlySet<string>;
  /**
   * Functions, and methods as `.name`, with a similar function that is easily confused with them. '' means that the
   * call can be left out.
   */
  readonly similarCalls: Readonly<Record<string, string>>;
  /** Statements that can be removed without breaking the syntax. */
  readonly removable: ReadonlySet<string>;
  /** Whether a node of a removable kind is a statement in its place; absent: every node is. */
  readonly isStatement?: (node: SyntaxNode) => boolean;
  /** The text that replaces a removed statement. */
  readonly emptyStatement: string;
  readonly strings: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  /** The text in place of an argument of any type; null if the language has none. */
  readonly emptyArgument: string | null;
  /** Returns the opposite of a condition. */
  negated(condition: string): string;
  /** For each operator, its replacements. Those with the most informative survivors come first. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
  /** Returns the expression that `node` makes a function return, or null. */
  returned(node: SyntaxNode, text: string): SyntaxNode | null;
  /** Returns a replacement for a returned expression that keeps the syntax valid, or null if none is known. */
  replacedReturn(expression: SyntaxNode, text: string): Replacement | null;
}
