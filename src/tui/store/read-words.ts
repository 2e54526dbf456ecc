/** Several reads in one line: their number, and each name once. */
export function readWords(names: readonly string[]): string {
  const count = names.length === 1 ? 'read ' : `read ${names.length}: `;
  return `${count}${[...new Set(names)].join(', ')}`;
}
