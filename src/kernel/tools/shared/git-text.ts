/** What git printed, from the git tool's result. */
export function gitText(result: unknown): string {
  if (typeof result === 'object' && result !== null && 'text' in result && typeof result.text === 'string') {
    return result.text;
  }
  return JSON.stringify(result, null, 1);
}
