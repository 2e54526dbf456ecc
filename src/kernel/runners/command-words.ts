/** One command as words: what a shell would start, without the shell. */
export type Words = readonly string[];

export function wordsOf(command: string): Words {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
}
