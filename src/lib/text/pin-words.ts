const BEGINNING = 'The user has pinned this: ';

/** The note that shows a pin to a model. */
export function pinNote(text: string): string {
  return `${BEGINNING}${text}`;
}

export function isPinNote(text: string): boolean {
  return text.startsWith(BEGINNING);
}
