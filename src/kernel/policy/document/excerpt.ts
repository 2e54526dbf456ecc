const MAX_CHARACTERS = 80;

/** The beginning of a text from the file: whoever wrote the file must not fill the screen of whoever reads what is wrong with it. */
export function excerpt(text: string, most = MAX_CHARACTERS): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** In quotes, with escapes for what does not show. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text));
}
