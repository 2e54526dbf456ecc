import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, plainText, textOf } from '../../syntax/walk.ts';
import type { InspectedChange } from '../finding.ts';
import { calleeOf, CALLS, chainOf } from '../names.ts';
import { writtenTests } from './written-tests.ts';

const DEMANDS =
  /^(?:throws(?:Async)?|throw|toThrow\w*|rejects|rejectedWith|raises|assertRaises\w*|assertThrows\w*|isThrownBy|assertThatThrownBy|assertThatExceptionOfType|isInstanceOf)$/;
/** `#[should_panic]`, `@Test(expected = …)`. */
const ANNOTATION = /\bshould_panic\b|\bexpected\s*=/;

/** Assertions of the changed tests: how many there are, and how many of them demand an error. */
export function demandedErrors({ tests }: InspectedChange): { readonly all: number; readonly errors: number } {
  const each = tests.flatMap((file) => {
    const written = writtenTests(file.language, file);
    return written.cases
      .filter(({ body }) => file.isAdded(body))
      .flatMap(({ body }) => written.assertions(body).map((assertion) => demandsError(assertion, file.text)));
  });
  return { all: each.length, errors: each.filter((demands) => demands).length };
}

function demandsError(assertion: SyntaxNode, text: string): boolean {
  if (/annotation|attribute/.test(assertion.kind) && !CALLS.has(assertion.kind))
    return ANNOTATION.test(plainText(assertion, text));
  const chain = assertion.kind === 'method_invocation' ? methodChain(assertion, text) : calledBy(assertion, text);
  return chain.some((name) => DEMANDS.test(name));
}

function calledBy(assertion: SyntaxNode, text: string): string[] {
  return CALLS.has(assertion.kind) ? chainOf(calleeOf(assertion), text) : [];
}

function methodChain(call: SyntaxNode, text: string): string[] {
  const object = childOf(call, 'object');
  const name = childOf(call, 'name');
  return [
    ...(object?.kind === 'method_invocation' ? methodChain(object, text) : []),
    name === null ? '' : textOf(name, text),
  ];
}
