/**
 * What .gitignore says of a pattern without negation, comment or foreign syntax, in the plainest way: try everything, recursively. Written
 * from the manual page; shares nothing with the engine.
 */
export function referenceGlob(pattern: string, path: string): boolean {
  const names = path.split('/');
  return names.some((_, index) => {
    const isFile = index === names.length - 1;
    const prefix = names.slice(0, index + 1).join('/');
    if (pattern.endsWith('/')) return !isFile && matchesItself(pattern.slice(0, -1), prefix);
    return matchesItself(pattern, prefix);
  });
}

function matchesItself(pattern: string, path: string): boolean {
  if (pattern.startsWith('/')) return segments(pattern.slice(1).split('/'), path.split('/'));
  if (pattern.includes('/')) return segments(pattern.split('/'), path.split('/'));
  return name(pattern, path.split('/').at(-1) ?? '');
}

function segments(patterns: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = patterns;
  if (first === undefined) return names.length === 0;
  if (first === '**') {
    if (rest.length === 0) return names.length > 0;
    return names.some((_, index) => segments(rest, names.slice(index)));
  }
  const [head, ...tail] = names;
  return head !== undefined && name(first, head) && segments(rest, tail);
}

function name(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const rest = pattern.slice(1);
  if (pattern.startsWith('*')) return name(rest, text) || (text !== '' && name(pattern, text.slice(1)));
  if (text === '') return false;
  if (pattern.startsWith('?')) return name(rest, text.slice(1));
  return pattern[0] === text[0] && name(rest, text.slice(1));
}
