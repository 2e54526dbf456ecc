const ENDING = String.raw`\.(?:png|jpe?g|gif|webp)`;
/** A word with `@` in front of it or none; in quotes, or with a backslash before a blank, as terminals paste what is dropped on them. */
const PATHS = new RegExp(
  String.raw`(?<=(?:^|\s)\(?)(@?)(?:"([^"\n]+${ENDING})"|'([^'\n]+${ENDING})'|((?:\\.|[^\s"'\\()])+?${ENDING}))(?=[)\]}.,;:!?]*(?:\s|$))`,
  'gi',
);

export interface NamedImage {
  readonly path: string;
  /** Named with `@`: it is meant to go along, so its user wants to know if it does not. Otherwise it may be mere text. */
  readonly isAttached: boolean;
}

/** Pure: the images that a message names, each once, in their order. A web address is none. */
export function namedImages(text: string): readonly NamedImage[] {
  const found = new Map<string, boolean>();
  for (const [, at, double, single, bare] of text.matchAll(PATHS)) {
    const path = double ?? single ?? (bare ?? '').replaceAll(/\\(.)/g, '$1');
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) continue;
    found.set(path, found.get(path) === true || at === '@');
  }
  return [...found].map(([path, isAttached]) => ({ path, isAttached }));
}
