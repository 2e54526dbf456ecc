import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { Grammar } from '../syntax/grammars/grammar.ts';

/** One replacement in a text; offsets are in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What people read in place of a replacement that is long. */
  readonly shown?: string;
}

export interface Mutator {
  /** Recorded in the evidence, and never changed afterwards. */
  readonly name: string;
  /** How telling a survivor is: 1 before 2 before 3. */
  readonly rank: 1 | 2 | 3;
  /** The ways in which this one node can be broken. */
  mutate(node: SyntaxNode, source: MutatedSource): readonly Edit[];
}

export interface MutatedSource {
  readonly text: string;
  readonly grammar: Grammar;
}

export interface NamedFunction {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** Whether the change wrote that line: the function is new, or takes other arguments. */
  readonly isChanged: boolean;
  /** Whether what is broken is in what the function returns, and not in a default of its parameters or in a callback that it keeps. */
  readonly isReturned: boolean;
}

export interface Mutant {
  /** 1-based line of the source as it is. */
  readonly line: number;
  readonly mutator: string;
  /** What is replaced, and by what, for people: '' where something is removed. */
  readonly before: string;
  readonly after: string;
  /** The whole file with this one change. */
  readonly text: string;
  /** The function of the file that it breaks; absent: none with a name. */
  readonly within?: NamedFunction;
}
