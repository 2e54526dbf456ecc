/** A path from the model, split into components. They may still contain `..`, which only a walk can resolve. */
export type ParsedPath =
  | { readonly kind: 'ok'; readonly components: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

const MAX_PATH_BYTES = 4095;
const MAX_NAME_BYTES = 255;

/**
 * Control characters, C1 included: NUL, newline, escape and others end strings, forge output lines and control
 * terminals.
 */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Invisible characters: zero-width, joiners, bidi controls, variation selectors, tags. A name that differs from another
 * only by these can deceive a reviewer.
 */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e0fff}]/u;

/** Checks a path lexically and splits it into components. Absolute paths are accepted only inside `projectRoot`. */
export function parsePath(path: string, projectRoot: string): ParsedPath {
  if (CONTROL.test(path)) return refused('the path contains a control character');
  if (!path.isWellFormed()) return refused('the path is not valid Unicode');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return refused('the path is too long');
  const inside = path.startsWith('/') ? stripRoot(path, projectRoot) : path;
  if (inside === null)
    return refused('the path is absolute and outside the project; use a path relative to the project');
  const components = inside.split('/').filter((component) => component !== '' && component !== '.');
  if (components.some((component) => Buffer.byteLength(component) > MAX_NAME_BYTES)) {
    return refused('a name in the path is too long');
  }
  return { kind: 'ok', components };
}

/** Why a file of this name may not be created, or null. Existing files may be read under any name. */
export function whyNotCreated(path: string): string | null {
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'the path is not normalised';
    if (CONTROL.test(name)) return 'a name contains a control character';
    if (INVISIBLE.test(name)) return 'a name contains an invisible character';
    if (isGitTwin(name)) return `"${name}" is git's own on some file systems`;
    if (isFluffyTwin(name)) return `"${name}" is .fluffy on some file systems`;
  }
  return null;
}

/**
 * The directory that holds the first component which git, here or on another file system, treats as its own directory;
 * '' is the project root. null if there is no such component.
 */
export function holderOfGit(path: string): string | null {
  const names = path.split('/');
  const at = names.findIndex(isGitTwin);
  return at === -1 ? null : names.slice(0, at).join('/');
}

/** Whether a name contains a character that a terminal or a log would interpret and not show. */
export function hasControlCharacter(name: string): boolean {
  return CONTROL.test(name);
}

/**
 * Whether some file system treats this name as `.git`: case-folding ones, HFS+ (drops invisible characters), NTFS
 * (short name, trailing dots and spaces, stream suffix). `.git` itself counts.
 */
export function isGitTwin(name: string): boolean {
  const folded = foldName(name);
  return folded === '.git' || folded === 'git~1';
}

function isFluffyTwin(name: string): boolean {
  return name !== '.fluffy' && foldName(name) === '.fluffy';
}

function foldName(name: string): string {
  const stream = name.indexOf(':');
  return (stream > 0 ? name.slice(0, stream) : name)
    .replaceAll(new RegExp(INVISIBLE, 'gu'), '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

function stripRoot(path: string, projectRoot: string): string | null {
  if (path === projectRoot) return '';
  return path.startsWith(`${projectRoot}/`) ? path.slice(projectRoot.length + 1) : null;
}

function refused(reason: string): ParsedPath {
  return { kind: 'refused', reason };
}
