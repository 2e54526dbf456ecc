/** `12,345,678`: a count that a person reads. */
export function groupDigits(count: number): string {
  return count.toLocaleString('en-US');
}
