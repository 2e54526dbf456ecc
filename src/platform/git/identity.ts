import { lastSetting } from '../../lib/git/git-config.ts';
import type { GitSetting } from '../../lib/git/git-config.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface IdentityEnvironment {
  readonly GIT_AUTHOR_NAME?: string | undefined;
  readonly GIT_AUTHOR_EMAIL?: string | undefined;
  readonly EMAIL?: string | undefined;
}

/**
 * The committer, in git's own order: environment, then `author.*`, then `user.*`; the last setting wins. `settings` are
 * the user's files followed by the repository's. Unlike git, this never makes up a name from the system's user; it
 * returns null.
 */
export function findIdentity(settings: readonly GitSetting[], env: IdentityEnvironment): Identity | null {
  const of = (variable: string | undefined, key: 'name' | 'email', fallback?: string): string =>
    clean(
      variable || (lastSetting(settings, `author.${key}`) ?? lastSetting(settings, `user.${key}`) ?? fallback ?? ''),
    );
  const name = of(env.GIT_AUTHOR_NAME, 'name');
  const email = of(env.GIT_AUTHOR_EMAIL, 'email', env.EMAIL);
  return name === '' || email === '' ? null : { name, email };
}

/** Removes what git drops from names: line ends and angle brackets anywhere, punctuation and blanks at the ends. */
function clean(text: string): string {
  return text.replace(/[<>\n\0]/g, '').replace(/^[\p{Cc} .,:;"'\\]+|[\p{Cc} .,:;"'\\]+$/gu, '');
}
