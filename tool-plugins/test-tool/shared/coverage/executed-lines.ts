/** A script as V8 reports it, with the text that it ran. */
export interface CoveredScript {
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
  readonly code: string;
  /** The line of the file (0-based) for a place in the text; null where the text is the file. */
  readonly lineOf: ((line: number, column: number) => number | null) | null;
  /** Whether a loader puts the module into a function of its own. */
  readonly isWrapped: boolean;
}

const MAX_WORDS = 200_000;
const SKIPPED = 0;
const LOADED = 1;
const CALLED = 2;
const UNCALLED = 3;

/**
 * The 1-based lines of a file that have run. A line of a function counts once the function was called: that the module was loaded says nothing of it.
 */
export function executedLines(script: CoveredScript): number[] {
  const { code, lineOf } = script;
  const state = stateOf(script);
  const seen = new Map<number, Set<number>>();
  let line = 0;
  let lineStart = 0;
  let words = 0;
  // What loaders write behind the text has no place in the file.
  const end = code.search(/\n\/\/[#@] ?\w+=/);
  for (const { index } of code.matchAll(/[\w$'"`]+/g)) {
    if ((words += 1) > MAX_WORDS || (end !== -1 && index > end)) break;
    for (let next = code.indexOf('\n', lineStart); next !== -1 && next < index; next = code.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = next + 1;
    }
    const place = lineOf === null ? line : lineOf(line, index - lineStart);
    if (place === null) continue;
    const states = seen.get(place + 1) ?? new Set();
    seen.set(place + 1, states.add(state[index] ?? SKIPPED));
  }
  const isExecuted = (states: ReadonlySet<number>): boolean =>
    states.has(CALLED) || (states.has(LOADED) && !states.has(UNCALLED));
  return [...seen].flatMap(([each, states]) => (isExecuted(states) ? [each] : []));
}

/** What became of each character. Functions come with those around them before them, and so do their blocks. */
function stateOf({ functions, code, isWrapped }: CoveredScript): Uint8Array {
  const state = new Uint8Array(code.length);
  for (const [order, { ranges }] of functions.entries()) {
    const [whole, ...blocks] = ranges;
    if (whole === undefined) continue;
    const isModule = order === 0 || (order === 1 && isWrapped);
    const ran = isModule ? LOADED : CALLED;
    state.fill(whole.count > 0 ? ran : UNCALLED, whole.startOffset, whole.endOffset);
    if (whole.count === 0) continue;
    for (const { startOffset, endOffset, count } of blocks)
      state.fill(count > 0 ? ran : SKIPPED, startOffset, endOffset);
  }
  return state;
}
