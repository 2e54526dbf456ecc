import type { SyntaxLanguage } from '../../../../contracts/ports/syntax.ts';
import type { SourceText } from '../finding.ts';
import { javascriptTests } from './javascript-tests.ts';
import { pythonTests } from './python-tests.ts';
import type { WrittenTests } from './test-case.ts';

const READERS: Readonly<Record<SyntaxLanguage, ((source: SourceText) => WrittenTests) | null>> = {
  javascript: javascriptTests,
  typescript: javascriptTests,
  tsx: javascriptTests,
  python: pythonTests,
  go: null,
  rust: null,
  java: null,
};

/** null for a language whose tests cannot be read yet. */
export function writtenTests(language: SyntaxLanguage, source: SourceText): WrittenTests | null {
  return READERS[language]?.(source) ?? null;
}

/** Whether rules read the tests of a language. */
export function readsTestsOf(language: SyntaxLanguage): boolean {
  return READERS[language] !== null;
}
