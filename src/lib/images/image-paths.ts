const ENDING = String.raw`\.(?:png|jpe?g|gif|webp)`;
/** A word with or without a leading `@`; in quotes, or with a backslash before a blank, as terminals paste dropped files. */
const PATHS = new RegExp(
  String.raw`(?<=(?:^|\s)\(?)(@?)(?:"([^"\n]+${ENDING})"|'([^'\n]+${ENDING})'|((?:\\.|[^\s"'\\()])+?${ENDING}))(?=[)\]}.,;:!?]*(?:\s|$))`,
  'gi',
);

export interface NamedImage {
  readonly path: string;
  /** Named with `@`: the user wants to attach it, and must be informed if that fails. Without `@` it may be ordinary text. */
  readonly isAttached: boolean;
}

/** The images that a message names, each once, in order. A web address does not count. Pure. */
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
 * The images, if a text contains nothing but full paths of images, as terminals write dropped files and desktops copied ones: in quotes, with
 * backslashes, as an address. A name without a directory may be ordinary text. null for other text. Pure.
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

/** The paths in the form in which a message attaches images. */
export function attached(paths: readonly string[]): string {
  return paths.map((path) => `@"${path}"`).join(' ');
}
