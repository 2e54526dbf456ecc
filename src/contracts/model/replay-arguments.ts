/**
 * The arguments of a recorded call as the text that a model sends. A string is such a text already and may not be JSON. Arguments stay text because,
 * as an object, they could have keys that no message between our programs may have.
 */
export function replayArguments(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
