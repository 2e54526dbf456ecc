import type { CoverageLines } from '../../../contracts/review/coverage.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { OverlayView } from '../../../contracts/ports/workspace.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { classifyPath } from '../../policy/index.ts';
import { linesBySource } from '../../runners/executed-lines.ts';
import type { SessionContext } from '../../services.ts';
import { codeLinesOf } from '../executed/code-lines.ts';
import { textAt } from '../read-text.ts';
import { reportRun } from '../run/report-run.ts';
import { attemptSuite } from '../run/run-tests.ts';

const MAX_FILES = 500_000;
/** Maximum number of source files. A commit waits while they are read and parsed. */
const MAX_SOURCES = 5_000;

export type MeasuredCoverage =
  | { readonly kind: 'measured'; readonly lines: CoverageLines; readonly languages: readonly string[] }
  | { readonly kind: 'impossible'; readonly why: string };

interface Measurement {
  readonly command: TestCommand;
  readonly overrides: NonNullable<OverlayView['overrides']>;
  /** Languages that the baseline counts. Their sources count even if no test loads a file of that language any more. */
  readonly languages: readonly string[];
}

/**
 * Runs the whole suite once and counts the executed lines of all sources. Sources in a language that the runner does
 * not count are left out.
 */
export async function measureCoverage(
  context: SessionContext,
  { command, overrides, languages }: Measurement,
): Promise<MeasuredCoverage> {
  const { services, session, workspace, signal } = context;
  const sources = await sourcesOf(context, overrides);
  if (sources === null) return impossible(`the project has more than ${MAX_SOURCES} source files`);
  const cover = sources.map(({ path }) => path);
  const site = { id: session.id, workspace, session, overrides, cover };
  const { run, executed } = await attemptSuite(services, site, command, signal);
  reportRun(services, session, run);
  if (run.outcome !== 'passed' && run.outcome !== 'failed')
    return impossible(run.why ?? `the run of the suite ended as ${run.outcome}`);
  if (executed === null) return impossible('the test runner counted no lines');
  const ran = linesBySource(executed);
  const counted = new Set([...languages, ...[...ran.keys()].map(languageOfFile)]);
  const own = sources.filter(({ path }) => counted.has(languageOfFile(path)));
  const lines = countLines(await codeLinesOf(own, services.parseSyntax), ran);
  if (lines.total === 0) return impossible('no source has a line that could be counted');
  const named = [...counted].filter((language) => language !== null).sort();
  return { kind: 'measured', lines, languages: named };
}

/** Pure: counts the lines with code, and those that were executed. */
function countLines(
  code: ReadonlyMap<string, ReadonlySet<number>>,
  ran: ReadonlyMap<string, ReadonlySet<number>>,
): CoverageLines {
  const found = { covered: 0, total: 0 };
  for (const [path, lines] of code) {
    const executed = ran.get(path);
    found.total += lines.size;
    for (const line of lines) if (executed?.has(line) === true) found.covered += 1;
  }
  return found;
}

/** The sources with a known language, in the view of the run; null if there are too many. */
async function sourcesOf(
  { services, workspace }: SessionContext,
  overrides: Measurement['overrides'],
): Promise<readonly { readonly path: string; readonly after: string }[] | null> {
  const replaced = new Map(overrides.map(({ path, entry }) => [path, entry]));
  const { paths, truncated } = await workspace.glob('**/*', '' as ProjectPath, MAX_FILES);
  const policy = services.policy();
  const isSource = (path: string) =>
    languageOfFile(path) !== null && classifyPath(policy, path).kind === 'source';
  const found = [...new Set([...paths, ...replaced.keys()])].filter(isSource).sort();
  if (truncated || found.length > MAX_SOURCES) return null;
  const sources: { path: string; after: string }[] = [];
  for (const path of found) {
    const entry = replaced.get(path);
    const after = entry === undefined ? await textAt(workspace, path) : entry.kind === 'file' ? decodeUtf8(entry.bytes) : null;
    if (after !== null) sources.push({ path, after });
  }
  return sources;
}

function impossible(why: string): MeasuredCoverage {
  return { kind: 'impossible', why };
}
