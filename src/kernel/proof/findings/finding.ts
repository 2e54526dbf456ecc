import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';

export interface SourceText {
  readonly text: string;
  readonly root: SyntaxNode;
}

export interface InspectedFile extends SourceText {
  readonly path: string;
  readonly language: SyntaxLanguage;
  /** The file in HEAD; null if it is new, or had no syntax tree there. */
  readonly before: SourceText | null;
  /** Whether the change has added a node of this tree; see `additionsOf`. */
  readonly isAdded: (node: SyntaxNode) => boolean;
}

/** What an inspection of one file may know about the whole change. */
export interface InspectedChange {
  readonly tests: readonly InspectedFile[];
  /** Unchanged test files that changed test files import. */
  readonly helpers: readonly InspectedFile[];
  readonly sources: readonly InspectedFile[];
  /** Paths of the changed sources, also of those without a syntax tree. */
  readonly sourcePaths: readonly string[];
  /** Paths of the changed test files and of changed test data. */
  readonly testPaths: readonly string[];
  /** Names of functions in the changed files that return a promise or a coroutine. */
  readonly asyncFunctions: ReadonlySet<string>;
  /** The new cases, with the names that the runner reports. */
  readonly reported: readonly { readonly file: string; readonly name: string }[];
  /** For each assertion in the changed tests, its literals. */
  readonly asserted: readonly ReadonlySet<string>[];
  /** The numbers that the changed tests expect, in a normal form: `0x2a` is `42`. */
  readonly expected: ReadonlySet<string>;
  /** The texts that they expect. */
  readonly expectedTexts: ReadonlySet<string>;
  /** The changed files that have no grammar here. */
  readonly documents: readonly { readonly path: string; readonly text: string }[];
  /** Whether a path is a test or belongs to tests. */
  isTest(path: string): boolean;
}

/** A place in the inspected file, with the words that describe the finding. */
export interface Place {
  readonly line: number;
  readonly words: string;
}

/** Looks for one kind of finding in one file. */
export interface Inspection {
  readonly kind: string;
  look(file: InspectedFile, change: InspectedChange): Iterable<Place>;
}
