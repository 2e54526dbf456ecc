import { posix } from 'node:path';
import { firstText } from '../../../lib/text/first-last.ts';
import type { Token } from '../javascript/source-tokens.ts';
import { stringsAtKey } from '../javascript/strings-at-key.ts';

/** Names that jest collects without `testMatch` and `testRegex`. */
export const DEFAULT_PATTERNS = [
  '**/__tests__/**/*.{js,mjs,cjs,ts,mts,cts,jsx,tsx}',
  '**/{*.,}{test,spec}.{js,mjs,cjs,ts,mts,cts,jsx,tsx}',
];
/** A repeated group can take exponential time. */
const SAFE_REGEX = /^(?!.*\)[*+{]).{1,200}$/s;

/**
 * The files that jest collects, if its configuration contains them as plain texts. Both are empty if the default names
 * apply.
 */
export interface JestNaming {
  /** Relative to the directory of the command. */
  readonly globs: readonly string[];
  readonly regexes: readonly string[];
}

/**
 * Returns the naming of a configuration. If it has `projects`, the names of all projects together: jest ignores the
 * other settings too.
 */
export function namingOf(tokens: readonly Token[]): JestNaming {
  const projects = elementsAtKey(tokens, 'projects');
  if (projects === null) return oneNaming(tokens);
  // A project that is given by a variable is somewhere else in the file.
  const isWritten = projects.every(([first]) => first?.kind === 'string' || first?.value === '{');
  const namings = isWritten
    ? projects.map(projectNaming)
    : [...blocksWith(tokens, 'testMatch', 'testRegex')].map(oneNaming);
  const found = namings.map(({ globs, regexes }) =>
    globs.length + regexes.length === 0 ? { globs: DEFAULT_PATTERNS, regexes } : { globs, regexes },
  );
  if (found.length === 0) return { globs: [], regexes: [] };
  return {
    globs: [...new Set(found.flatMap(({ globs }) => globs))],
    regexes: [...new Set(found.flatMap(({ regexes }) => regexes))],
  };
}

/** The naming of a project, which is an object, or the path of a directory or configuration file. */
function projectNaming(element: readonly Token[]): JestNaming {
  const [first] = element;
  if (first?.kind !== 'string') return oneNaming(element);
  const place = withoutRoot(first.value);
  const directory = /\.[cm]?[jt]s(?:on)?$/.test(place) ? posix.dirname(place) : place;
  return { globs: DEFAULT_PATTERNS.map((glob) => posix.join(directory, glob)), regexes: [] };
}

function oneNaming(tokens: readonly Token[]): JestNaming {
  const lists = (key: string): readonly string[] => stringsAtKey(tokens, key) ?? [];
  const root = withoutRoot(firstText(lists('rootDir')));
  const globs = lists('testMatch').filter((glob) => !glob.startsWith('!'));
  return {
    globs: globs.map((glob) =>
      glob.startsWith('<rootDir>') || (root !== '' && glob.startsWith('**'))
        ? posix.join(root, withoutRoot(glob))
        : glob,
    ),
    regexes: lists('testRegex').filter((each) => SAFE_REGEX.test(each)),
  };
}

export function withoutRoot(path: string): string {
  return path.replace(/^<rootDir>\/?/, '');
}

/** The tokens of each element in the list of a key; null if the key has no list. */
function elementsAtKey(tokens: readonly Token[], key: string): readonly (readonly Token[])[] | null {
  const at = tokens.findIndex(
    (token, index) => token.kind !== 'mark' && token.value === key && tokens[index + 1]?.value === ':',
  );
  if (at === -1 || tokens[at + 2]?.value !== '[') return null;
  const elements: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(at + 3)) {
    const mark = token.kind === 'mark' ? token.value : '';
    if (mark === ']' && depth === 0) break;
    if ('([{'.includes(mark) && mark !== '') depth += 1;
    if (')]}'.includes(mark) && mark !== '') depth -= 1;
    if (mark === ',' && depth === 0) elements.push([]);
    else elements.at(-1)?.push(token);
  }
  return elements.filter((each) => each.length > 0);
}

/** Yields the tokens from each occurrence of one of these keys to the next. */
function* blocksWith(tokens: readonly Token[], ...keys: readonly string[]): Generator<readonly Token[]> {
  for (const [index, token] of tokens.entries())
    if (token.kind !== 'mark' && keys.includes(token.value) && tokens[index + 1]?.value === ':') {
      const next = tokens.findIndex(
        (each, place) =>
          place > index && each.kind !== 'mark' && keys.includes(each.value) && tokens[place + 1]?.value === ':',
      );
      yield tokens.slice(index, next === -1 ? undefined : next);
    }
}
