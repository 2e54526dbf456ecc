import type { ProjectPath } from '../../../contracts/ids.ts';
import { MAX_PATH_BYTES } from '../../../contracts/policy.ts';
import { foldSegment } from '../../../lib/globs/fold-path.ts';

/**
 * A path as a model or plugin sent it, interpreted without access to a disk. `directory`: it was written with a
 * trailing slash.
 */
export type LexicalTarget =
  { readonly kind: 'ok'; readonly path: ProjectPath; readonly directory: boolean } | PathRefusal;

/** `reason` is a sentence for the model. */
export interface PathRefusal {
  readonly kind: 'refused';
  readonly code: 'path_refused';
  readonly reason: string;
}

export function refusePath(reason: string): PathRefusal {
  return { kind: 'refused', code: 'path_refused', reason };
}

const MAX_NAME_BYTES = 255;

/** Names whose look-alikes are always refused. Access to the names themselves is decided by policy. */
const PROTECTED_NAMES: readonly string[] = ['.git', '.fluffy', '.gitmodules', '.gitattributes'];
const SHORT_NAMES = /^(?:git|fluffy|gitmod|gitatt)~[0-9]+$/i;

/**
 * Each pattern is refused because two programs, or a program and a person, could read the text as two different files.
 */
const AMBIGUOUS: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /\p{Cc}|\p{Zl}|\p{Zp}/u, reason: 'The path contains a control character or a line break' },
  {
    pattern: /\p{Cf}|\p{Default_Ignorable_Code_Point}/u,
    reason: 'The path contains an invisible or direction-changing character',
  },
  { pattern: /\p{Co}|\p{Cn}/u, reason: 'The path contains a character that Unicode does not define' },
  { pattern: /\\/, reason: 'The path contains a backslash; write / between names' },
  {
    pattern: /^(?:~|[A-Za-z]:)(?:\/|$)/,
    reason: 'The path begins with ~ or names a drive; write it relative to the project',
  },
];
const AMBIGUOUS_FIRST = /^(?:~|[A-Za-z]:)$/;

/**
 * Turns a path that was sent into a normalised project-relative path, or refuses it; never guesses. `..` is resolved by
 * name before any link is followed, and the result is what is opened, so no link can change its meaning later.
 * `projectRoot` is the project's real, absolute path. Absolute paths inside it are made relative, all others are
 * refused. A leading dash is an ordinary character here. Code that puts a path on a command line must put `--` or `./`
 * before it.
 */
export function lexicalTarget(sent: string, projectRoot: string | null): LexicalTarget {
  if (sent === '') return refusePath('The path is empty; write . for the project itself');
  if (!sent.isWellFormed()) return refusePath('The path is not valid Unicode');
  if (Buffer.byteLength(sent, 'utf8') > MAX_PATH_BYTES)
    return refusePath(`The path is longer than ${MAX_PATH_BYTES} bytes`);
  for (const { pattern, reason } of AMBIGUOUS) if (pattern.test(sent)) return refusePath(reason);
  if (sent.normalize('NFC') !== sent)
    return refusePath('The path is not in Unicode form NFC, in which names are compared');

  const absolute = sent.startsWith('/');
  const names: string[] = [];
  for (const name of sent.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined && !absolute)
      return refusePath('The path leads out of the project; write it relative to the project, without ..');
  }
  const relative = absolute ? beneath(names, projectRoot) : names;
  if (relative === null) return refusePath('The path is outside the project; write it relative to the project');
  const [first] = relative;
  if (first !== undefined && AMBIGUOUS_FIRST.test(first)) return refusePath('The path begins with ~ or names a drive');
  for (const name of relative) {
    const problem = nameProblem(name);
    if (problem !== null) return refusePath(problem);
  }
  const directory = /(?:^|\/)\.{0,2}$/.test(sent);
  return { kind: 'ok', path: relative.join('/') as ProjectPath, directory };
}

function beneath(names: readonly string[], projectRoot: string | null): readonly string[] | null {
  if (projectRoot === null) return null;
  const root = projectRoot.split('/').filter((name) => name !== '');
  return root.every((name, index) => names[index] === name) ? names.slice(root.length) : null;
}

/** The fault in one name of a path, as a sentence; null if the name is fine. */
export function nameProblem(name: string): string | null {
  if (Buffer.byteLength(name, 'utf8') > MAX_NAME_BYTES)
    return `A name in the path is longer than ${MAX_NAME_BYTES} bytes`;
  if (/[. ]$/.test(name)) return 'A name in the path ends in a dot or a space';
  const folded = foldSegment(name);
  if (name !== folded && PROTECTED_NAMES.includes(folded)) return `A name in the path passes for ${folded}`;
  if (SHORT_NAMES.test(name)) return 'A name in the path is a short form of a protected one';
  return null;
}
