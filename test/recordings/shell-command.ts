/** The words of a command of SWE-agent's, which is no shell: quotes keep blanks. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double?.replace(/\\(.)/g, '$1') ?? single ?? bare ?? '',
  );
}
