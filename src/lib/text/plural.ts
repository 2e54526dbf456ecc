/** `1 file`, `2 files`; `many` is the noun of all other numbers, by default with an `s`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
