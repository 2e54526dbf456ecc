import coverage from 'istanbul-lib-coverage';
import type { CoverageMap, FileCoverageData } from 'istanbul-lib-coverage';
import lcov from 'lcov-parse';

/**
 * Executed lines: for each test file, the executed lines of each source that its process loaded. The counter runs in
 * the same process as the code under test, which can add lines. So the lines may lower a grade, but never raise it.
 */
export type ExecutedLines = ReadonlyMap<string, CoverageMap>;

/** The executed lines of the requested sources in one report. */
export class CountedLines {
  readonly #found = new Map<string, CoverageMap>();
  readonly #paths: ReadonlyMap<string, string>;

  constructor({ projectRoot, cover = [] }: { readonly projectRoot: string; readonly cover?: readonly string[] }) {
    this.#paths = new Map(cover.map((path) => [`${projectRoot}/${path}`, path]));
  }

  /** `text` is in the format of lcov, with absolute paths. Sources that were not requested are dropped. */
  add(testFile: string, text: string): void {
    lcov.source(text, (_error, records = []) => {
      for (const { file, lines } of records) {
        const path = this.#paths.get(file ?? '');
        if (path === undefined) continue;
        const known = this.#found.get(testFile) ?? coverage.createCoverageMap({});
        this.#found.set(testFile, known);
        known.addFileCoverage(
          fileCoverage(
            path,
            lines.details.flatMap(({ line, hit }) => (hit > 0 ? [line] : [])),
          ),
        );
      }
    });
  }

  /** Empty if no line was counted, or none of the sources was loaded. */
  found(): { readonly executed?: ExecutedLines } {
    return this.#found.size === 0 ? {} : { executed: this.#found };
  }
}

/** Makes one statement for each line, so that equal lines are merged. */
function fileCoverage(path: string, lines: readonly number[]): FileCoverageData {
  const whole = lines.filter((line) => Number.isSafeInteger(line) && line > 0);
  return {
    path,
    statementMap: Object.fromEntries(
      whole.map((line) => [line, { start: { line, column: 0 }, end: { line, column: 0 } }]),
    ),
    s: Object.fromEntries(whole.map((line) => [line, 1])),
    fnMap: {},
    f: {},
    branchMap: {},
    b: {},
  };
}

/** Pure: returns the executed lines of a source, 1-based. null if no counted process loaded it. */
export function linesOf(executed: ExecutedLines, path: string): ReadonlySet<number> | null {
  const loaded = [...executed.values()].filter((map) => map.files().includes(path));
  return loaded.length === 0 ? null : new Set(loaded.flatMap((map) => ranIn(map, path)));
}

/** Pure: returns the executed lines of each loaded source, 1-based. */
export function linesBySource(executed: ExecutedLines): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const map of executed.values()) {
    for (const path of map.files()) {
      const lines = found.get(path) ?? new Set<number>();
      found.set(path, lines);
      for (const line of ranIn(map, path)) lines.add(line);
    }
  }
  return found;
}

/** Pure: returns the test files whose processes executed one line of a source. */
export function filesRunning(executed: ExecutedLines, path: string, line: number): ReadonlySet<string> {
  const running = [...executed].filter(([, map]) => map.files().includes(path) && ranIn(map, path).includes(line));
  return new Set(running.map(([file]) => file));
}

function ranIn(map: CoverageMap, path: string): number[] {
  return Object.keys(map.fileCoverageFor(path).getLineCoverage()).map(Number);
}

/** Pure: merges the counts of several runs; null if no run counted lines. */
export function unitedLines(all: readonly (ExecutedLines | null)[]): ExecutedLines | null {
  const united = new Map<string, CoverageMap>();
  for (const [file, map] of all.flatMap((each) => [...(each ?? [])])) {
    const both = coverage.createCoverageMap({});
    const known = united.get(file);
    if (known !== undefined) both.merge(known);
    both.merge(map);
    united.set(file, both);
  }
  return united.size === 0 ? null : united;
}
