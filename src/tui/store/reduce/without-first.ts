/** A list without the first entry that equals this text. */
export function withoutFirst(texts: readonly string[], text: string): readonly string[] {
  const at = texts.indexOf(text);
  return at === -1 ? texts : texts.toSpliced(at, 1);
}
