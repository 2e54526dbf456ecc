/**
 * Why a pattern that loads can hardly ever match, and what to write; null for a good pattern. Such a pattern has the
 * syntax of another tool.
 */
export function patternHint(source: string): string | null {
  if (/^\^|\$$|\.\+|\\\.|\\[dws](?![A-Za-z])/.test(source)) {
    const glob = source
      .replace(/^\^/, '/')
      .replace(/\$$/, '')
      .replaceAll(/\.[*+]/g, '*')
      .replaceAll('\\.', '.')
      .replace(/^\/\*(?=.)/, '*');
    return `looks like a regular expression; patterns are those of .gitignore, such as ${JSON.stringify(glob)}`;
  }
  if (/^~(?:\/|$)/.test(source)) {
    return `begins with "~/", and paths are relative to the project; ${JSON.stringify(source.slice(2))} is at any depth of it`;
  }
  if (/^[A-Za-z]:[\\/]/.test(source)) return 'is a path of another system; paths are relative to the project';
  if (/[A-Za-z0-9_-]\\[A-Za-z0-9_-]/.test(source)) {
    return `contains a backslash, which makes the next character literal; names are separated by "/": ${JSON.stringify(source.replaceAll('\\', '/'))}`;
  }
  if (/^\.\//.test(source)) return `begins with "./"; ${JSON.stringify(source.slice(1))} begins at the project's root`;
  return null;
}
