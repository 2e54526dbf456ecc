/**
 * Whether a text from a repository may be used as a ref's path: below `refs/`, by git's own rules for names. `refs/heads/../../../etc/passwd` in HEAD
 * is refused.
 */
export function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > 1024 || !name.isWellFormed()) return false;
  if (/[\p{Cc} ~^:?*[\\]/u.test(name) || name.includes('..') || name.includes('@{')) return false;
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock') && !part.endsWith('.'));
}

/** `refs/heads/main` -> `main`; other refs in full. */
export function shortRefName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}
