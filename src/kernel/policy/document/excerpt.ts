const MAX_CHARACTERS = 80;

/**
 * The beginning of a text from the file, so that the author of the file cannot fill the screen of a person who reads
 * the error.
 */
export function excerpt(text: string, most = MAX_CHARACTERS): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** In quotes, with escapes for invisible characters. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text));
}
