/** A command as words, without shell syntax. */
export type Words = readonly string[];

export function wordsOf(command: string): Words {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
}
