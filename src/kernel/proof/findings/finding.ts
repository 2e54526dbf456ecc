import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';

export interface SourceText {
  readonly text: string;
  readonly root: SyntaxNode;
}

export interface InspectedFile extends SourceText {
  readonly path: string;
  readonly language: SyntaxLanguage;
  /** The file in HEAD; null for a new one, or one that has no syntax tree there. */
  readonly before: SourceText | null;
  /** Whether the change has added this node of its tree: `additionsOf`. */
  readonly isAdded: (node: SyntaxNode) => boolean;
}

/** What an inspection of one file may know of the others. */
export interface InspectedChange {
  readonly tests: readonly InspectedFile[];
  /** Unchanged files of tests that changed ones load. */
  readonly helpers: readonly InspectedFile[];
  readonly sources: readonly InspectedFile[];
  /** Paths of the changed sources, also of those that have no syntax tree. */
  readonly sourcePaths: readonly string[];
  /** Paths of the changed tests, and of the changed data of tests. */
  readonly testPaths: readonly string[];
  /** Functions of the changed files that answer with a promise or a coroutine. */
  readonly asyncFunctions: ReadonlySet<string>;
  /** The new cases, by the names that the runner reports. */
  readonly reported: readonly { readonly file: string; readonly name: string }[];
  /** The literals of each assertion of the changed tests. */
  readonly asserted: readonly ReadonlySet<string>[];
  /** The numbers that the changed tests expect, in any notation. */
  readonly expected: ReadonlySet<string>;
  /** Whether a path of the project is a test's or what belongs to tests. */
  isTest(path: string): boolean;
}

/** A place in the inspected file, in words. */
export interface Place {
  readonly line: number;
  readonly words: string;
}

/** One kind of finding. */
export interface Inspection {
  readonly kind: string;
  look(file: InspectedFile, change: InspectedChange): Iterable<Place>;
}
