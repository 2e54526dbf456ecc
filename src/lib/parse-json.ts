/** The value of a JSON text; undefined if it is not JSON. No JSON text has this value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
