/** Names a result of the conversation: `m<position of its message>.<place in it>`. Other references name kept outputs. */
export function resultReference(position: number, index: number): string {
  return `m${position}.${index}`;
}

/** Null for what names no message. */
export function parseReference(text: string): { readonly position: number; readonly index: number } | null {
  const match = /^m(\d{1,9})(?:\.(\d{1,4}))?$/.exec(text);
  return match === null ? null : { position: Number(match[1]), index: Number(match[2] ?? 0) };
}
