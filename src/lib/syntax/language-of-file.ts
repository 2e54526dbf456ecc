import { posix } from 'node:path';
import type { SyntaxLanguage } from '../../contracts/ports/syntax.ts';
import { ownValue } from '../own-value.ts';

const BY_EXTENSION: Readonly<Record<string, SyntaxLanguage>> = {
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascript',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'tsx',
  '.py': 'python',
  '.pyi': 'python',
  '.go': 'go',
  '.rs': 'rust',
  '.java': 'java',
  '.rb': 'ruby',
  '.rake': 'ruby',
  '.php': 'php',
  // The grammar of C++ reads C too.
  '.c': 'cpp',
  '.h': 'cpp',
  '.cc': 'cpp',
  '.cpp': 'cpp',
  '.cxx': 'cpp',
  '.c++': 'cpp',
  '.hh': 'cpp',
  '.hpp': 'cpp',
  '.hxx': 'cpp',
};

/** The language of a file by its name; null where no grammar is shipped for it. */
export function languageOfFile(path: string): SyntaxLanguage | null {
  return ownValue(BY_EXTENSION, posix.extname(path).toLowerCase()) ?? null;
}
