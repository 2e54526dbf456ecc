import type { SyntaxLanguage } from '../../../../../contracts/ports/syntax.ts';
import { once } from '../../../syntax/once.ts';
import type { SourceText } from '../../finding.ts';
import { cppTests } from './cpp-tests.ts';
import { goTests } from './go-tests.ts';
import { javaTests } from './java-tests.ts';
import { javascriptTests } from './javascript-tests.ts';
import { phpTests } from './php-tests.ts';
import { pythonTests } from './python-tests.ts';
import { rubyTests } from './ruby-tests.ts';
import { rustTests } from './rust-tests.ts';
import type { WrittenTests } from './test-case.ts';

const READERS: Readonly<Record<SyntaxLanguage, (source: SourceText) => WrittenTests>> = {
  javascript: javascriptTests,
  typescript: javascriptTests,
  tsx: javascriptTests,
  python: pythonTests,
  go: goTests,
  rust: rustTests,
  java: javaTests,
  ruby: rubyTests,
  php: phpTests,
  cpp: cppTests,
};

/** The tests of a file, read once for all inspections. */
export function writtenTests(language: SyntaxLanguage, source: SourceText): WrittenTests {
  return read(source, language);
}

const read = once((source: SourceText, language: SyntaxLanguage) => READERS[language](source));
