/** Formats a count for people: `12,345,678`. */
export function groupDigits(count: number): string {
  return count.toLocaleString('en-US');
}
