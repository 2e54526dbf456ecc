/** Code points that HFS+ ignores in names: `.g\u200cit` names `.git` there. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Whether git would accept the path as one of its own, on any file system a clone may land on: relative, no empty, `.` or `..`
 * component, and nothing that is `.git` under case folding, HFS+ or NTFS rules.
 * Returns why not, or null.
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

/** `.git` by any name a file system may know it under: case, ignored code points, NTFS short name, streams, trailing dots and blanks. */
export function isDotGit(component: string): boolean {
  const name = component.replace(IGNORED_BY_HFS, '').toLowerCase().split(':')[0] ?? '';
  const trimmed = name.replace(/[. ]+$/, '');
  return trimmed === '.git' || trimmed === 'git~1' || name.split('\\').some((part) => part === '.git');
}
