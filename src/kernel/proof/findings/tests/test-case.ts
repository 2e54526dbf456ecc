import type { Place, SourceText } from '../finding.ts';
import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';

/** A test case as it is written in a file. */
export interface WrittenCase {
  /** With the names of its suites before it. */
  readonly name: string;
  readonly line: number;
  /** The function that is run. */
  readonly body: SyntaxNode;
  /** How it is switched off or turned around: `skip`, `todo`, `fails`, `only`. */
  readonly modifier: string | null;
  /** Whether the runner may report it by this name. */
  isReportedAs(name: string): boolean;
}

/** The tests of one file. */
export interface WrittenTests {
  readonly cases: readonly WrittenCase[];
  /** Where a case is registered that cannot be read here. */
  readonly unread: readonly Place[];
  /** Calls and statements below a node that fail the case when something is not as expected. */
  assertions(node: SyntaxNode): SyntaxNode[];
  /** What an assertion looks at. */
  subjects(assertion: SyntaxNode): SyntaxNode[];
  /** Whether a failure of `assertion` is caught on its way out of the case. */
  swallowed(assertion: SyntaxNode, within: SyntaxNode): boolean;
  /** Whether nothing waits for `assertion`. */
  unawaited(assertion: SyntaxNode, within: SyntaxNode): boolean;
  /** Whether the case may pass without running `assertion`. */
  conditional(assertion: SyntaxNode, within: SyntaxNode): boolean;
}

/** A text, and the names by which it calls assertions. */
export interface AssertingSource extends SourceText {
  readonly asserted: ReadonlySet<string>;
}
