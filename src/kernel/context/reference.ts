/**
 * The reference of a result in the conversation: `m<position of its message>.<index of the result>`. Other references
 * name stored outputs.
 */
export function resultReference(position: number, index: number): string {
  return `m${position}.${index}`;
}

/** null if the text is no reference to a message. */
export function parseReference(text: string): { readonly position: number; readonly index: number } | null {
  const match = /^m(\d{1,9})(?:\.(\d{1,4}))?$/.exec(text);
  return match === null ? null : { position: Number(match[1]), index: Number(match[2] ?? 0) };
}
