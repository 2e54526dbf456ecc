import type { Place, SourceText } from '../../finding.ts';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';

/** A test case in the text of a file. */
export interface WrittenCase {
  /** The name, with the names of its suites before it. */
  readonly name: string;
  readonly line: number;
  /** The function that runs. */
  readonly body: SyntaxNode;
  /** A modifier that disables or inverts the case: `skip`, `todo`, `fails`, `only`. null if there is none. */
  readonly modifier: string | null;
  /** Whether the runner may report the case by this name. */
  isReportedAs(name: string): boolean;
}

export interface WrittenTests {
  readonly cases: readonly WrittenCase[];
  /** Places that register a case which cannot be read here. */
  readonly unread: readonly Place[];
  /** Returns the calls and statements below a node that can fail the case. */
  assertions(node: SyntaxNode): SyntaxNode[];
  /** Returns the values that an assertion checks. */
  subjects(assertion: SyntaxNode): SyntaxNode[];
  /** Whether the case catches a failure of `assertion`. */
  swallowed(assertion: SyntaxNode, within: SyntaxNode): boolean;
  /** Whether the case does not wait for `assertion`. */
  unawaited(assertion: SyntaxNode, within: SyntaxNode): boolean;
  /** Whether the case may pass without running `assertion`. */
  conditional(assertion: SyntaxNode, within: SyntaxNode): boolean;
}

/** A text, and the names of its assertions. */
export interface AssertingSource extends SourceText {
  readonly asserted: ReadonlySet<string>;
}
