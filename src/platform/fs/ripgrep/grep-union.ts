import type { GrepMatch, GrepOutcome, GrepQuery } from '../../../contracts/ports/workspace.ts';
import type { Clock } from '../../../contracts/ports/clock.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { withDescriptorsAsync } from '../descriptors.ts';
import { compileGlob } from '../ignore/path-glob.ts';
import type { IgnoreView } from '../ignore/ignore-view.ts';
import type { StagedIndex } from '../staging/staged-index.ts';
import { compareCodeUnits } from '../union/union-read.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import { locate } from '../union/union-walk.ts';
import { MatchRecords } from './match-records.ts';
import type { RipgrepEnd } from './run-ripgrep.ts';
import { runRipgrep } from './run-ripgrep.ts';

export interface SearchContext {
  readonly roots: UnionRoots;
  readonly ripgrepPath: string;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly staged: StagedIndex;
  readonly ignored: IgnoreView;
  /**
   * The session has changed an ignore file, or ripgrep would read another one than git; then ripgrep's result for the
   * project is wrong.
   */
  readonly ignoreFilesDiffer: boolean;
}

/**
 * Files are searched in parallel and sorted afterwards. This many more matches than requested are collected, so that
 * the first ones are mostly the same each time.
 */
const SURPLUS_MATCHES = 2000;
const MAX_LINE_BYTES = 500;

/** Only git's ignore rules of this project count; `.git` itself is never searched. */
export const WALK_OPTIONS = ['--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-dot'] as const;

/** Runs ripgrep over the project without the staged paths, and over the staged files. */
export async function grepUnion(context: SearchContext, query: GrepQuery, signal: AbortSignal): Promise<GrepOutcome> {
  const withNul = [query.pattern, query.glob].find((text) => text?.includes('\0') === true);
  // An argument of a program cannot contain a NUL.
  if (withNul !== undefined) return { kind: 'invalid-pattern', message: 'it has a NUL character; write \\x00 for it' };
  const glob = query.glob === undefined ? null : compileGlob(query.glob);
  if (glob?.kind === 'invalid') return { kind: 'invalid-pattern', message: glob.reason };
  const under = query.path === '' ? '' : `${query.path}/`;
  const wholeIgnored = query.path !== '' && context.ignored.isIgnored(query.path, true);
  const allowed = (path: string): boolean =>
    (glob === null || glob.matches(path.slice(under.length))) && (query.readable?.(path) ?? true);
  const wanted = (path: string): boolean => (wholeIgnored || !context.ignored.isIgnored(path, false)) && allowed(path);
  // ripgrep uses the project's ignore files as long as it gets no pattern: a pattern would include ignored files again.
  const sifted = query.glob === undefined && !context.ignoreFilesDiffer;

  return withDescriptorsAsync(async (descriptors) => {
    const gathered: Gathered[] = [];
    const deadline = context.clock.monotonicMs() + context.deadlineMs;
    const search = (where: { directory: number; stdin?: number; args: readonly string[] }, take: Take) => {
      // One for each layer, so that many matches in the project do not displace matches in staged files.
      const found = new Gathered(query.maxResults + SURPLUS_MATCHES);
      gathered.push(found);
      return runRipgrep({
        ...where,
        program: context.ripgrepPath,
        args: [...matchOptions(query), ...where.args],
        deadlineMs: Math.max(1, deadline - context.clock.monotonicMs()),
        signal,
        onOutput: found.reader(take),
      });
    };

    const found = locate(descriptors, context.roots, query.path);
    const searches: Promise<RipgrepEnd>[] = [];
    if (found.kind === 'file' && (query.readable?.(query.path) ?? true)) {
      const stdin = descriptors.reopen(found.fd);
      searches.push(search({ directory: found.parent, stdin, args: ['-'] }, () => query.path));
    }
    if (found.kind === 'directory') {
      const globs = [...(query.glob === undefined ? [] : [`--glob=${query.glob}`]), '--glob=!.git'];
      if (found.staging !== null && context.staged.files.some((file) => file.startsWith(under))) {
        const args = [...WALK_OPTIONS, '--no-ignore', ...globs, '--', './'];
        searches.push(search({ directory: found.staging, args }, (path) => keep(under + path, wanted)));
      }
      if (found.project !== null) {
        const all = wholeIgnored || context.ignoreFilesDiffer ? ['--no-ignore'] : [];
        const args = [...WALK_OPTIONS, ...all, ...globs, '--', './'];
        const shown = sifted ? allowed : wanted;
        const visible = (path: string): boolean => !context.staged.hides(path) && shown(path);
        searches.push(search({ directory: found.project, args }, (path) => keep(under + path, visible)));
      }
    }
    const ends = await Promise.all(searches);
    signal.throwIfAborted();
    const matches = gathered.flatMap((found) => found.matches);
    return conclude(ends, matches, query, context.deadlineMs);
  });
}

/** The project path of a match; null to leave it out. */
type Take = (path: string) => string | null;

function keep(path: string, wanted: (path: string) => boolean): string | null {
  return wanted(path) ? path : null;
}

function matchOptions(query: GrepQuery): string[] {
  return [
    '--null',
    '--line-number',
    '--no-heading',
    '--with-filename',
    '--no-context-separator',
    `--max-columns=${MAX_LINE_BYTES}`,
    '--max-columns-preview',
    `--context=${query.contextLines}`,
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    `--regexp=${query.pattern}`,
  ];
}

/** Matches of one run so far, up to a limit. */
class Gathered {
  readonly matches: GrepMatch[] = [];
  #counted = 0;
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get full(): boolean {
    return this.#counted >= this.#bound;
  }

  reader(take: Take): (chunk: Buffer) => 'more' | 'enough' {
    const records = new MatchRecords();
    const verdicts = new Map<string, string | null>();
    return (chunk) => {
      for (const match of records.read(chunk)) {
        let path = verdicts.get(match.path);
        if (path === undefined) {
          path = take(match.path);
          verdicts.set(match.path, path);
        }
        if (path === null) continue;
        this.matches.push({ ...match, path });
        if (!match.context) this.#counted += 1;
      }
      return this.full ? 'enough' : 'more';
    };
  }
}

function conclude(
  ends: readonly RipgrepEnd[],
  matches: readonly GrepMatch[],
  query: GrepQuery,
  deadlineMs: number,
): GrepOutcome {
  let cut = false;
  for (const end of ends) {
    switch (end.kind) {
      case 'failed':
        return { kind: 'invalid-pattern', message: end.message };
      case 'timed-out':
        return { kind: 'timed-out', afterMs: deadlineMs };
      case 'cancelled':
      case 'enough':
        cut = true;
        break;
      case 'ended':
        break;
      default:
        assertNever(end);
    }
  }
  const sorted = matches.toSorted((a, b) => compareCodeUnits(a.path, b.path) || a.line - b.line);
  const kept = firstMatches(sorted, query.maxResults, query.contextLines);
  return { kind: 'ok', matches: kept, truncated: cut || kept.length < sorted.length };
}

/** The first `count` matches, with their context lines. */
function firstMatches(sorted: readonly GrepMatch[], count: number, contextLines: number): GrepMatch[] {
  let left = count;
  const end = sorted.findIndex((match) => !match.context && (left -= 1) < 0);
  if (end === -1) return [...sorted];
  const last = sorted.slice(0, end).findLastIndex((match) => !match.context);
  const final = sorted[last];
  return sorted
    .slice(0, end)
    .filter((match, index) => index <= last || (match.path === final?.path && match.line <= final.line + contextLines));
}
