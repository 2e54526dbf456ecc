/** Several reads in one line: how many, and of what, each named once. */
export function readWords(names: readonly string[]): string {
  const count = names.length === 1 ? 'read ' : `read ${names.length}: `;
  return `${count}${[...new Set(names)].join(', ')}`;
}
