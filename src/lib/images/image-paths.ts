const ENDING = String.raw`\.(?:png|jpe?g|gif|webp)`;
/** A word with `@` in front of it or none; in quotes, or with a backslash before a blank, as terminals paste what is dropped on them. */
const PATHS = new RegExp(
  String.raw`(?<=(?:^|\s)\(?)@?(?:"([^"\n]+${ENDING})"|'([^'\n]+${ENDING})'|((?:\\.|[^\s"'\\()])+?${ENDING}))(?=[)\]}.,;:!?]*(?:\s|$))`,
  'gi',
);

/** Pure: the paths of images that a message names, each once, in their order. A web address is none. */
export function imagePaths(text: string): readonly string[] {
  const found = [...text.matchAll(PATHS)].map(([, double, single, bare]) => {
    if (double !== undefined || single !== undefined) return double ?? single ?? '';
    return (bare ?? '').replaceAll(/\\(.)/g, '$1');
  });
  return [...new Set(found)].filter((path) => !/^[a-z][a-z\d+.-]*:\/\//i.test(path));
}
