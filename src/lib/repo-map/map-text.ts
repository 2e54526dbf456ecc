import type { RankedDefinition } from './rank-definitions.ts';

/** The best definitions that fit, grouped by file. Files are ordered by their best definition, lines by their order in the file. Pure. */
export function mapText(ranked: readonly RankedDefinition[], maxCharacters: number): string {
  const byPath = new Map<string, RankedDefinition[]>();
  let left = maxCharacters;
  for (const definition of ranked) {
    const known = byPath.get(definition.path);
    left -= lineOf(definition).length + 1 + (known === undefined ? definition.path.length + 2 : 0);
    if (left < 0) break;
    byPath.set(definition.path, [...(known ?? []), definition]);
  }
  return [...byPath]
    .map(([path, definitions]) => {
      const lines = definitions.toSorted((a, b) => a.line - b.line).map(lineOf);
      return [path, ...new Set(lines)].join('\n');
    })
    .join('\n');
}

function lineOf({ line, signature }: RankedDefinition): string {
  return `  ${line}: ${signature}`;
}
