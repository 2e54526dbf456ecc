import type { SyntaxNode, TextEdit } from '../../../contracts/ports/syntax.ts';
import type { Grammar } from '../syntax/grammars/grammar.ts';

export interface Edit extends TextEdit {
  /** Text for people in place of a long replacement. */
  readonly shown?: string;
}

export interface Mutator {
  /** Recorded in the evidence, so it must never change. */
  readonly name: string;
  /** How informative a survivor is: 1 is tried before 2, and so on. */
  readonly rank: 1 | 2 | 3 | 4;
  /** Returns the edits that break this one node. */
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
  /** Whether the change wrote that line: the function is new, or its parameters changed. */
  readonly isChanged: boolean;
  /**
   * Whether the mutated code is part of the returned value. False for a default of a parameter, and for a callback
   * that the function keeps.
   */
  readonly isReturned: boolean;
}

export interface Mutant {
  /** 1-based line of the original source. */
  readonly line: number;
  readonly mutator: string;
  /** The replaced code and its replacement, for people. `after` is '' if code is removed. */
  readonly before: string;
  readonly after: string;
  readonly text: string;
  /** The function that contains the mutated code; absent if it has no name. */
  readonly within?: NamedFunction;
}
