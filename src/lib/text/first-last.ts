/** The first of the texts; empty where there are none. */
export function firstText(texts: readonly string[]): string {
  return texts[0] ?? '';
}

/** The last of the texts; empty where there are none. */
export function lastText(texts: readonly string[]): string {
  return texts.at(-1) ?? '';
}
