/** What a C or C++ test file is, read as text. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type CxxFramework = 'gtest' | 'catch' | 'doctest' | 'plain';

const NO_CODE =
  /\/\/(?:\\\n|[^\n])*|\/\*[\s\S]*?\*\/|R"([^()\s\\]{0,16})\([\s\S]*?\)\1"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;
const INCLUDED: readonly (readonly [RegExp, CxxFramework])[] = [
  [/^[ \t]*#[ \t]*include[ \t]*[<"]g(?:test|mock)\//m, 'gtest'],
  [/^[ \t]*#[ \t]*include[ \t]*[<"](?:catch2\/|(?:[\w./]*\/)?catch(?:_amalgamated)?\.hpp)/m, 'catch'],
  [/^[ \t]*#[ \t]*include[ \t]*[<"](?:[\w./]*\/)?doctest\.h/m, 'doctest'],
];
const MAX_DEPTH = 3;

/** The text with spaces in place of comments and literals; offsets are the same. */
export function codeOf(text: string): string {
  return text.replace(NO_CODE, (part) => part.replace(/[^\n]/g, ' '));
}

/** By what a file includes, or what is included by headers beside it. */
export function frameworkOf(path: string, depth = MAX_DEPTH): CxxFramework {
  const text = readFileSync(path, 'utf8');
  const own = INCLUDED.find(([pattern]) => pattern.test(text))?.[1];
  if (own !== undefined || depth === 0) return own ?? 'plain';
  for (const [, name = ''] of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)) {
    const header = join(dirname(path), name);
    const found = existsSync(header) ? frameworkOf(header, depth - 1) : 'plain';
    if (found !== 'plain') return found;
  }
  return 'plain';
}

/** Offset behind the brace that opens `main`; null where the file does not define it word for word. */
export function startOfMain(text: string): number | null {
  const found = /\bmain\s*\([^)]*\)\s*(?:noexcept\s*)?(?:->\s*int\s*)?\{/.exec(codeOf(text));
  return found === null ? null : found.index + found[0].length;
}
