import { parseGitConfig } from './git-config.ts';

/** Settings that decide how a repository is read; none names a remote host. */
const KEPT =
  /^(extensions\.[a-z0-9]+|core\.(repositoryformatversion|bare|filemode|symlinks|ignorecase|precomposeunicode|logallrefupdates|autocrlf|eol|safecrlf|sharedrepository))$/;
const PLAIN_VALUE = /^[A-Za-z0-9._-]*$/;

/** A repository's configuration without remotes, URLs, headers, credentials and programs; null if it is not in git's format. */
export function plainConfig(text: string): string | null {
  const parsed = parseGitConfig(text);
  if (parsed.kind === 'invalid') return null;
  const lines = parsed.settings
    .filter(({ name, value }) => KEPT.test(name) && PLAIN_VALUE.test(value))
    .map(
      ({ name, value }) => `[${name.slice(0, name.indexOf('.'))}]\n\t${name.slice(name.indexOf('.') + 1)} = ${value}\n`,
    );
  return lines.join('');
}
