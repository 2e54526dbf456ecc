/** A line of a source, broken. */
export interface BrokenLine {
  readonly path: string;
  /** The whole line as it was, which is in the source once, and as it is broken. */
  readonly before: string;
  readonly after: string;
  /** The whole source with the broken line. */
  readonly broken: string;
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|c|cc|cpp|h|hpp)$/;
const NO_SOURCE =
  /(?:^|\/)(?:tests?|__tests__|testing|testdata|docs?|examples?|bench(?:es|marks)?|scripts|vendor|fixtures?)\/|\.config\.|\.d\.ts$|(?:^|\/)(?:setup|conf|conftest|noxfile)\.py$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#|"""|import\b|from\b|use\b)/;
const BREAKS: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ == /, ' != '],
  [/ < /, ' >= '],
  [/ > /, ' <= '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ and /, ' or '],
  [/ \+ /, ' - '],
  [/\bnot /, ''],
];

/** Pure: the lines of a source that can be broken by one operator, each in one way. */
export function brokenLines(path: string, text: string): readonly BrokenLine[] {
  if (!SOURCE.test(path) || NO_SOURCE.test(path)) return [];
  const lines = text.split('\n');
  return lines.flatMap((before, index) => {
    if (COMMENT.test(before) || lines.filter((line) => line.includes(before)).length > 1) return [];
    const found = BREAKS.find(([pattern]) => pattern.test(before));
    if (found === undefined) return [];
    const after = before.replace(found[0], found[1]);
    return [{ path, before, after, broken: lines.with(index, after).join('\n') }];
  });
}
