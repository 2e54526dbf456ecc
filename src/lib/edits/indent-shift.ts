/** The indentation of a line in the file, for its indentation by the model; null if the known lines do not tell. */
export type IndentShift = (indent: string) => string | null;

export interface IndentPair {
  readonly model: string;
  readonly file: string;
}

/**
 * The only rule that explains how the file's indentation differs from the model's: a constant prefix more or less, or another unit (tabs for spaces,
 * four spaces for two). null if no single rule explains all pairs; then the indentation of a new line is unknown.
 */
export function indentShift(pairs: readonly IndentPair[]): IndentShift | null {
  return sameIndent(pairs) ?? addedPrefix(pairs) ?? removedPrefix(pairs) ?? otherUnit(pairs);
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function sameIndent(pairs: readonly IndentPair[]): IndentShift | null {
  return pairs.every(({ model, file }) => model === file) ? (indent) => indent : null;
}

const NO_PAIR: IndentPair = { model: '', file: '' };

/** If the first pair has no such prefix, the sliced text has another length than the prefix, and explains no pair. */
function addedPrefix(pairs: readonly IndentPair[]): IndentShift | null {
  const [{ model: short, file: long } = NO_PAIR] = pairs;
  const prefix = long.slice(0, long.length - short.length);
  return pairs.every(({ model, file }) => file === prefix + model) ? (indent) => prefix + indent : null;
}

function removedPrefix(pairs: readonly IndentPair[]): IndentShift | null {
  const [{ model: long, file: short } = NO_PAIR] = pairs;
  const prefix = long.slice(0, long.length - short.length);
  if (!pairs.every(({ model, file }) => model === prefix + file)) return null;
  return (indent) => (indent.startsWith(prefix) ? indent.slice(prefix.length) : null);
}

/** Both sides indent by whole units of one kind each. The deepest pair gives the lengths of the units; the others must agree. */
function otherUnit(pairs: readonly IndentPair[]): IndentShift | null {
  const deepest = pairs.reduce<IndentPair | null>(
    (known, pair) => (known === null || pair.model.length > known.model.length ? pair : known),
    null,
  );
  if (deepest === null || deepest.model === '' || deepest.file === '') return null;
  const units = [1, 2, 3, 4, 8].flatMap((levels) => {
    const model = unitOf(deepest.model, levels);
    const file = unitOf(deepest.file, levels);
    return model === null || file === null ? [] : [{ model, file }];
  });
  const shifts = units
    .map(({ model, file }): IndentShift => {
      return (indent) => {
        const levels = indent.length / model.length;
        return indent === model.repeat(Math.floor(levels)) ? file.repeat(levels) : null;
      };
    })
    .filter((shift) => pairs.every((pair) => shift(pair.model) === pair.file));
  // The smallest unit that explains everything: it is also right wherever a larger one is.
  return shifts.at(-1) ?? null;
}

function unitOf(indent: string, levels: number): string | null {
  const unit = indent.slice(0, indent.length / levels);
  return indent.length % levels === 0 && indent === unit.repeat(levels) && new Set(unit).size === 1 ? unit : null;
}
