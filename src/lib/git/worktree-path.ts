import { firstText } from '../text/first-last.ts';
/** Code points that HFS+ ignores in names: there `.g\u200cit` means `.git`. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Why git would not accept the path, on any file system to which a clone may be written; null if it would. It must be relative, without an empty, `.`
 * or `..` component, and without a component that is `.git` under case folding, HFS+ or NTFS rules.
 */
export function worktreePathProblem(path: string): string | null {
  if (path === '') return 'an empty path';
  if (path.includes('\0')) return 'a NUL byte';
  if (!path.isWellFormed()) return 'not valid Unicode';
  for (const component of path.split('/')) {
    if (component === '') return 'an empty component';
    if (component === '.' || component === '..') return `a component ${component}`;
    if (isDotGit(component)) return 'a path inside a .git directory';
  }
  return null;
}

/** Whether the name is `.git` on some file system: case, ignored code points, NTFS short name, streams, trailing dots and blanks. */
export function isDotGit(component: string): boolean {
  const name = firstText(component.replace(IGNORED_BY_HFS, '').toLowerCase().split(':'));
  const trimmed = name.replace(/[. ]+$/, '');
  return trimmed === '.git' || trimmed === 'git~1' || name.split('\\').some((part) => part === '.git');
}
