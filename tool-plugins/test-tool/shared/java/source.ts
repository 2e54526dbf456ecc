/** What a Java test file declares, read as text. */
import { posix } from 'node:path';

export type JavaFramework = 'jupiter' | 'junit4' | 'junit3' | 'testng';

export interface JavaSource {
  /** '' for the package without a name. */
  readonly packageName: string;
  /** Name of the file's own class. */
  readonly className: string;
  /** Offset of the brace that ends the class; the end of a text that does not close it; null where the file has no such class, or an abstract one. */
  readonly end: number | null;
  /** null: the file imports no test framework, its base class may. */
  readonly framework: JavaFramework | null;
  /** The text with spaces in place of comments and literals; offsets are the same. */
  readonly code: string;
}

const NO_CODE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const IMPORTED: readonly (readonly [RegExp, JavaFramework])[] = [
  [/\bimport\s+(?:static\s+)?org\.junit\.jupiter\./, 'jupiter'],
  [/\bimport\s+(?:static\s+)?org\.testng\./, 'testng'],
  [/\bimport\s+(?:static\s+)?org\.junit\./, 'junit4'],
  [/\bimport\s+(?:static\s+)?junit\.framework\./, 'junit3'],
];

export function readJavaSource(path: string, text: string): JavaSource {
  const code = text.replace(NO_CODE, (part) => part.replace(/[^\n]/g, ' '));
  const className = posix.basename(path, '.java');
  return {
    packageName: /^\s*package\s+([\w.]+)\s*;/m.exec(code)?.[1] ?? '',
    className,
    end: endOfClass(code, className),
    framework: IMPORTED.find(([pattern]) => pattern.test(code))?.[1] ?? null,
    code,
  };
}

function endOfClass(code: string, name: string): number | null {
  const declared = new RegExp(
    `((?:\\b(?:public|final|abstract|strictfp|sealed|non-sealed)\\s+)*)\\bclass\\s+${name}\\b`,
  );
  const found = declared.exec(code);
  if (found === null || /\babstract\b/.test(found[1] ?? '')) return null;
  let depth = 0;
  for (let at = code.indexOf('{', found.index); at !== -1 && at < code.length; at += 1) {
    if (code[at] === '{') depth += 1;
    if (code[at] === '}' && (depth -= 1) === 0) return at;
  }
  // It does not compile either way, which the compiler says better.
  return code.length;
}
