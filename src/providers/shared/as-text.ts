/** Pure: what a server sent where a text belongs. Nothing is the empty text; an object, a list or a number is written as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
