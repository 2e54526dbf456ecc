const BEGINNING = 'The user has pinned this: ';

/** The note by which a model reads a pin. */
export function pinNote(text: string): string {
  return `${BEGINNING}${text}`;
}

export function isPinNote(text: string): boolean {
  return text.startsWith(BEGINNING);
}
