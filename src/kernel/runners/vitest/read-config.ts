import { sourceTokens } from '../javascript/source-tokens.ts';
import type { Token } from '../javascript/source-tokens.ts';

/** What vitest includes by default. */
const VITEST_DEFAULT_INCLUDE = '**/*.{test,spec}.?(c|m)[jt]s?(x)';

export interface VitestConfigText {
  /** Globs of test files. Empty if the configuration contains none that can be read without running it. */
  readonly include: readonly string[];
  /**
   * Directory in which globs start, relative to the working directory of the configuration; null if it is not a string
   * literal.
   */
  readonly root: string | null;
}

/**
 * Reads `test.include` and `root` from a vitest or Vite configuration, as text. For several projects, the result
 * contains the globs of all of them and the default.
 */
export function readVitestConfig(source: string): VitestConfigText {
  const tokens = sourceTokens(source);
  const include: string[] = [];
  let root: string | null = null;
  let several = false;
  let unreadable = false;
  const open: (string | null)[] = [];
  tokens.forEach((token, index) => {
    if (token.kind === 'mark' && '([{'.includes(token.value)) open.push(keyBefore(tokens, index));
    else if (token.kind === 'mark' && ')]}'.includes(token.value)) open.pop();
    else if (isKey(tokens, index)) {
      const inTest = open.at(-1) === 'test';
      const value = tokens[index + 2];
      if (inTest && (token.value === 'projects' || token.value === 'workspace')) several = true;
      if (!inTest && token.value === 'root' && value?.kind === 'string') root = value.value;
      if (!inTest || token.value !== 'include') return;
      const found = globsAt(tokens, index + 2);
      if (found === null) unreadable = true;
      else include.push(...found);
    }
  });
  if (unreadable) return { include: [], root };
  const more = several && include.length > 0 ? [VITEST_DEFAULT_INCLUDE] : [];
  return { include: [...new Set([...include, ...more])], root };
}

function isKey(tokens: readonly Token[], index: number): boolean {
  const [token, next] = [tokens[index], tokens[index + 1]];
  return token !== undefined && token.kind !== 'mark' && next?.kind === 'mark' && next.value === ':';
}

/** The key whose value starts at `index`. */
function keyBefore(tokens: readonly Token[], index: number): string | null {
  return tokens[index]?.value === '{' && isKey(tokens, index - 2) ? (tokens[index - 2]?.value ?? null) : null;
}

/** The strings of the list that begins at `start`; null if it contains anything but strings and the default globs. */
function globsAt(tokens: readonly Token[], start: number): string[] | null {
  if (tokens[start]?.value !== '[') return null;
  const end = tokens.findIndex((token, index) => index > start && token.kind === 'mark' && token.value === ']');
  if (end === -1) return null;
  const globs: string[] = [];
  for (let index = start + 1; index < end; index += 1) {
    const token = tokens[index] as Token;
    const words = tokens.slice(index, index + 6).map((each) => each.value);
    if (token.kind === 'string') globs.push(token.value);
    else if (words.join('') === '...configDefaults.include') {
      globs.push(VITEST_DEFAULT_INCLUDE);
      index += 5;
    } else if (token.value !== ',') return null;
  }
  return globs.filter((glob) => !glob.startsWith('!'));
}
