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

/**
 * The images, where a text is nothing but whole paths of images, as terminals write what is dropped on them, and desktops what is copied there: in quotes, with
 * backslashes, as an address. A name alone may be mere text. Null: it is other text. Pure.
 */
export function droppedImages(text: string): readonly string[] | null {
  const written = text.trim().split(/\r?\n/).map(withoutScheme).join('\n');
  const paths = namedImages(written).map(({ path }) => path);
  const isOther = written.replace(PATHS, '').trim() !== '' || paths.length === 0;
  return isOther || !paths.every((path) => /^(?:\/|~\/)[^"]*$/.test(path)) ? null : paths;
}

/** `file:///tmp/a%20b.png` as a path in quotes. */
function withoutScheme(line: string): string {
  const encoded = /^file:\/\/(?:localhost)?(\/[^\s"]+)$/.exec(line.trim())?.[1];
  if (encoded === undefined) return line;
  try {
    return `"${decodeURIComponent(encoded)}"`;
  } catch {
    return line;
  }
}

/** As a message names images that are meant to go along. */
export function attached(paths: readonly string[]): string {
  return paths.map((path) => `@"${path}"`).join(' ');
}
