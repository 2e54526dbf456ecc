import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { plainText, textOf } from '../../syntax/walk.ts';
import type { InspectedChange } from '../finding.ts';
import { CALLS, chainOf, methodsOf } from '../names.ts';
import { writtenTests } from './languages/written-tests.ts';

const DEMANDS =
  /^(?:throws(?:Async)?|throw|toThrow\w*|rejects|rejectedWith|raises|assertRaises\w*|assertThrows\w*|isThrownBy|assertThatThrownBy|assertThatExceptionOfType|isInstanceOf)$/;
/** `#[should_panic]`, `@Test(expected = …)`. */
const ANNOTATION = /\bshould_panic\b|\bexpected\s*=/;

/** Errors that a program may throw by a mistake, and general error classes. */
const ACCIDENTAL =
  /^(?:Error|TypeError|ReferenceError|Exception|BaseException|NameError|AttributeError|UnboundLocalError|RuntimeException|Throwable|NullPointerException|KeyError|IndexError)$/;
const ERROR_CLASS = /\b[A-Z]\w*(?:Error|Exception|Invalid|Failure)\b/g;

/**
 * Counts the assertions in the changed tests and those that expect an error, and returns whether one of them expects an
 * error that a program does not throw by mistake.
 */
export function demandedErrors({ tests }: InspectedChange): {
  readonly all: number;
  readonly errors: number;
  readonly isSpecific: boolean;
} {
  const each = tests.flatMap((file) => {
    const written = writtenTests(file.language, file);
    return written.cases
      .filter(({ body }) => file.isAdded(body))
      .flatMap(({ body }) =>
        written.assertions(body).map((assertion) => ({
          demands: demandsError(assertion, file.text),
          classes: textOf(assertion, file.text).match(ERROR_CLASS) ?? [],
        })),
      );
  });
  const demanding = each.filter(({ demands }) => demands);
  const isSpecific = demanding.some(({ classes }) => classes.some((name) => !ACCIDENTAL.test(name)));
  return { all: each.length, errors: demanding.length, isSpecific };
}

function demandsError(assertion: SyntaxNode, text: string): boolean {
  if (/annotation|attribute/.test(assertion.kind) && !CALLS.has(assertion.kind))
    return ANNOTATION.test(plainText(assertion, text));
  const chain = assertion.kind === 'method_invocation' ? methodsOf(assertion, text) : calledBy(assertion, text);
  return chain.some((name) => DEMANDS.test(name));
}

function calledBy(assertion: SyntaxNode, text: string): string[] {
  return CALLS.has(assertion.kind) ? chainOf(assertion, text) : [];
}
