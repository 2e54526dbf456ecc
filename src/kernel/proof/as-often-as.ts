/**
 * Returns a function that tells whether a text was there before. It must be called once for each place: equal texts count
 * as old only as often as they occur in `old`.
 */
export function asOftenAs(old: Iterable<string>): (text: string) => boolean {
  const left = new Map<string, number>();
  for (const text of old) left.set(text, (left.get(text) ?? 0) + 1);
  return (text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  };
}
