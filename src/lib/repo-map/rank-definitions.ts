import type { Definition, FileTags } from './tags.ts';

export interface RankedDefinition extends Definition {
  readonly path: string;
  readonly score: number;
}

const ROUNDS = 20;
const DAMPING = 0.85;
/** Weight factor for requested files and names. */
const FOCUS = 20;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly weight: number;
}

/**
 * Definitions, ordered by how much of the project refers to them. A file passes its rank to the files whose names it uses, in proportion to the
 * number of uses, like PageRank; a name that many files define says little about each of them. Pure.
 */
export function rankDefinitions(files: readonly FileTags[], focus: readonly string[]): RankedDefinition[] {
  const wanted = new Set(focus);
  const edges = edgesBetween(files, wanted);
  const start = files.map(({ path }) => (isFocused(path, wanted) ? FOCUS : 1));
  const sum = start.reduce((total, each) => total + each, 0);
  const base = start.map((each) => each / sum);
  const leaving = new Float64Array(files.length);
  for (const { from, weight } of edges) leaving[from] = (leaving[from] ?? 0) + weight;
  let ranks = base;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = base.map((each) => each * (1 - DAMPING));
    for (const { from, to, weight } of edges) {
      next[to] = (next[to] ?? 0) + (DAMPING * (ranks[from] ?? 0) * weight) / (leaving[from] ?? 1);
    }
    ranks = next;
  }
  const received = new Map<string, number>();
  for (const { from, to, name, weight } of edges) {
    const key = `${to} ${name}`;
    received.set(key, (received.get(key) ?? 0) + ((ranks[from] ?? 0) * weight) / (leaving[from] ?? 1));
  }
  return files
    .flatMap(({ path, definitions }, index) =>
      definitions.map((definition) => {
        const asked = wanted.has(definition.name) || isFocused(path, wanted) ? 1 : 0;
        const score = (received.get(`${index} ${definition.name}`) ?? 0) + (ranks[index] ?? 0) / 100 + asked;
        return { ...definition, path, score };
      }),
    )
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1) || a.line - b.line);
}

function isFocused(path: string, wanted: ReadonlySet<string>): boolean {
  return [...wanted].some((each) => path === each || path.startsWith(`${each}/`));
}

function edgesBetween(files: readonly FileTags[], wanted: ReadonlySet<string>): Edge[] {
  const definers = new Map<string, number[]>();
  for (const [index, { definitions }] of files.entries()) {
    for (const name of new Set(definitions.map((each) => each.name))) {
      definers.set(name, [...(definers.get(name) ?? []), index]);
    }
  }
  return files.flatMap(({ references }, from) =>
    [...references].flatMap(([name, count]): Edge[] => {
      const targets = definers.get(name) ?? [];
      const factor = (wanted.has(name) ? FOCUS : 1) / targets.length;
      return targets.filter((to) => to !== from).map((to) => ({ from, to, name, weight: Math.sqrt(count) * factor }));
    }),
  );
}
