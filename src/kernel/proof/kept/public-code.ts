import { posix } from 'node:path';
import type { SyntaxLanguage } from '../../../contracts/ports/syntax.ts';
import type { DeletedCode } from './deleted-code.ts';

/** Returns the text of a file of the project; null if it does not exist or is not text. */
export type ReadProject = (path: string) => Promise<string | null>;

const JAVASCRIPT_ENDING = /\.[cm]?[jt]sx?$/;
const PYTHON_MANIFESTS: readonly (readonly [name: string, declares: RegExp])[] = [
  ['pyproject.toml', /^\[(?:project|build-system|tool\.poetry)\]/m],
  ['setup.cfg', /^\[(?:metadata|options)\]/m],
  ['setup.py', /\bsetup\s*\(/],
];

/**
 * Returns why code outside of the project may use the deleted code of a source file; null if there is no sign of it.
 */
export async function whyPublic(
  path: string,
  language: SyntaxLanguage,
  lost: DeletedCode,
  read: ReadProject,
): Promise<string | null> {
  return hasPublic(language, lost) ? whyOthers(path, language, read) : null;
}

/** Whether deleted code was visible outside, by the rules of the language: a keyword, or the first letter of a name. */
function hasPublic(language: SyntaxLanguage, { names, exported }: DeletedCode): boolean {
  switch (language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return exported.length > 0;
    case 'python':
      return names.some((name) => !name.startsWith('_'));
    case 'go':
      return names.some((name) => /^\p{Lu}/u.test(name));
    case 'rust':
    case 'java':
    case 'ruby':
    case 'php':
    case 'cpp':
      return names.length > 0;
  }
}

async function whyOthers(path: string, language: SyntaxLanguage, read: ReadProject): Promise<string | null> {
  switch (language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return whyJavascript(path, read);
    case 'python':
      return whyPython(path, read);
    case 'go': {
      const isOwn = path.split('/').includes('internal') || /^package main$/m.test((await read(path)) ?? '');
      return isOwn ? null : 'other modules may import what a Go package exports';
    }
    case 'rust':
      return 'other crates may use what a crate exports';
    case 'java':
      return 'other projects may use what a Java class declares';
    case 'ruby':
      return 'other programs may use what a file of Ruby declares';
    case 'php':
      return 'other programs may use what a file of PHP declares';
    case 'cpp':
      return 'other programs may use what a file of C or C++ declares';
  }
}

async function whyJavascript(path: string, read: ReadProject): Promise<string | null> {
  for (const directory of directoriesOf(path)) {
    const manifest = posix.join(directory, 'package.json');
    const text = await read(manifest);
    if (text === null) continue;
    const inside = posix.relative(directory, path);
    if (entriesIn(text).some((entry) => isEntry(entry, inside)))
      return `${manifest} names it, so others may use what it exports`;
    const isIndex = /^(?:src\/)?index\.[cm]?[jt]sx?$/.test(inside);
    return isIndex && !/"private"\s*:\s*true/.test(text)
      ? `it is the entry of the package in ${manifest}, so others may use what it exports`
      : null;
  }
  return null;
}

/** All texts of a manifest, because the keys alone do not show which of them are file names. */
function entriesIn(manifest: string): string[] {
  return [...manifest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) => value.replace(/^\.\//, ''));
}

/**
 * Whether an entry means this file. An entry of `exports` can contain one `*` for any text. Other entries may leave out
 * the extension or the index file.
 */
function isEntry(entry: string, path: string): boolean {
  const bare = path.replace(JAVASCRIPT_ENDING, '');
  const [first = '', last] = entry.split('*');
  if (last !== undefined) return first.includes('/') && path.startsWith(first) && path.endsWith(last);
  return [path, bare, bare.replace(/\/index$/, ''), bare.replace(/index$/, '')].some(
    (each) => each !== '' && each === entry,
  );
}

async function whyPython(path: string, read: ReadProject): Promise<string | null> {
  if (path.split('/').some((part) => /^_(?!_)/.test(part))) return null;
  const marker = posix.join(posix.dirname(path), '__init__.py');
  if ((await read(marker)) !== null) return `${marker} makes a package of it, so others may import it`;
  for (const directory of directoriesOf(path)) {
    for (const [name, declares] of PYTHON_MANIFESTS) {
      const manifest = posix.join(directory, name);
      if (declares.test((await read(manifest)) ?? ''))
        return `${manifest} makes a package of it, so others may import it`;
    }
  }
  return null;
}

/** The directory of a file and its parents, nearest first; '' is the project. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), ''];
}
