import type { Observation } from '../../../contracts/review/proof.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import type { SessionContext } from '../../services.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { impossible, observe } from '../observations/observe.ts';
import type { Observed } from '../observations/observe.ts';
import { unusableRun } from '../red.ts';
import { caseLimitMs } from '../run/time-limits.ts';
import { runTests } from '../run/run-tests.ts';
import { casesById, describeCase, splitCaseId } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { firstReadable, textAt } from '../read-text.ts';
import { stagedEntries, withEntries } from '../views/staged-entries.ts';
import { textEntry } from '../views/text-entry.ts';
import { snapshotPaths } from './snapshot-copies.ts';
import { commentedSource } from './commented-source.ts';
import { writeVariants } from './write-variants.ts';
import type { Variant, VariedText } from './write-variants.ts';

const MAX_NAMED = 5;
const NOTHING_WRITTEN = 'no new test can be copied or changed';
const MAX_WORDS = 120;

interface VariedFile {
  readonly path: string;
  readonly executable: boolean;
  readonly repeated: VariedText;
  readonly wrong: VariedText;
  /** The snapshot file with added entries for the copies; null if there is no such file. */
  readonly snapshots: ViewEntry | null;
}

export interface VariantFacts {
  readonly command: TestCommand;
  /** The run of the whole suite at green. */
  readonly suite: TestRun;
  readonly texts: readonly ChangedText[];
  /** Ids of the new cases. */
  readonly cases: readonly string[];
  /** The sources that the new cases test. */
  readonly sources: readonly Pick<ChangedText, 'path' | 'after'>[];
}

/**
 * Runs the new cases in two other forms, each in its own view. In the first form, each case is written two or three
 * times, one copy after the other in one process, and all copies have to pass. The last copy makes each call twice. So
 * code that counts its calls is noticed. The sources also have a comment added to each function, which no test of their
 * behaviour notices. In the second form, a copy has a wrong expected value and must fail; if it passes, the case
 * compares nothing. If no case can be written in these forms, the observation is `impossible`. Returns null if no test
 * has a language with a grammar; that is a finding of its own.
 */
export async function observeVariants(
  context: SessionContext,
  { command, suite, texts, cases, sources }: VariantFacts,
): Promise<Observation | null> {
  const { services, session, workspace, signal } = context;
  if (!texts.some(({ role, path }) => role === 'test' && languageOfFile(path) !== null)) return null;
  const staged = await stagedEntries(workspace, await workspace.changes());
  if (staged.kind === 'failed')
    return observe(services, session, 'variants', () =>
      Promise.resolve(impossible(`${staged.path} could not be read`)),
    );
  const given = { cases, sources, staged: staged.entries, workspace };
  const files = await variedFiles(texts, given, services.parseSyntax);
  const commented = await commentedEntries(sources, staged.entries, services.parseSyntax);
  const run = async (form: 'repeated' | 'wrong'): Promise<Tried> => {
    const varied = files.filter((file) => file[form].variants.length > 0);
    const variants = variantsOf(varied, form);
    if (variants.length === 0) return { variants, run: null };
    const entries = entriesOf(varied, form);
    const view = await services.workspaces.scratch();
    try {
      const shown = form === 'repeated' ? withEntries(commented, entries) : entries;
      const site = { ...view, session, caseMs: caseLimitMs(suite), overrides: withEntries(staged.entries, shown) };
      const paths = varied.map(({ path }) => path);
      return { variants, run: await runTests(services, site, command, paths, signal) };
    } finally {
      await view.close();
    }
  };
  if (files.every(({ repeated }) => repeated.variants.length === 0))
    return observe(services, session, 'variants', () => Promise.resolve(impossible(NOTHING_WRITTEN)));
  return observe(services, session, 'variants', async () => {
    const [repeated, wrong] = await Promise.all([run('repeated'), run('wrong')]);
    return judgeVariants(cases, repeated, wrong);
  });
}

export interface RepeatedTests {
  /** Test files that contain a case written twice. */
  readonly files: readonly string[];
  readonly entries: readonly ViewEntry[];
}

/** Writes the new cases twice, one copy after the other in one process, where that is possible. */
export async function repeatedTests(
  { services, workspace }: SessionContext,
  { texts, cases, sources }: Omit<VariantFacts, 'command' | 'suite'>,
): Promise<RepeatedTests> {
  const staged = await stagedEntries(workspace, await workspace.changes());
  if (staged.kind === 'failed') return { files: [], entries: [] };
  const files = await variedFiles(texts, { cases, sources, staged: staged.entries, workspace }, services.parseSyntax);
  const repeated = files.filter((file) => file.repeated.variants.length > 0);
  return { files: repeated.map(({ path }) => path), entries: entriesOf(repeated, 'repeated') };
}

/** View entries of the changed test files, and of the snapshots that the copies need. */
function entriesOf(files: readonly VariedFile[], form: 'repeated' | 'wrong'): ViewEntry[] {
  const snapshots = form === 'repeated' ? files.flatMap((file) => file.snapshots ?? []) : [];
  return [...snapshots, ...files.map(({ path, executable, [form]: { text } }) => textEntry(path, text, executable))];
}

interface VariantsObserved extends Observed {
  readonly differs_again?: boolean;
}

export interface Tried {
  readonly variants: readonly (Variant & { readonly path: string })[];
  /** null if there was nothing to run. */
  readonly run: TestRun | null;
}

/**
 * Pure: computes the outcome of both forms. `cases` are the ids of the new cases in their original form. A copy with a
 * wrong expected value that cannot be built is ignored: the types of the language may exclude that value.
 */
export function judgeVariants(cases: readonly string[], repeated: Tried, wrong: Tried): VariantsObserved {
  const unusable = repeated.run === null ? null : unusableRun(repeated.run);
  if (unusable !== null) return { outcome: 'impossible', detail: `run twice: ${unusable.why}` };
  const copies = repeated.variants.filter((variant) => reportsOf(variant, repeated.run).length > 0);
  if (copies.length === 0) return { outcome: 'impossible', detail: 'no test ran a second time' };
  const once = casesById(repeated.run?.cases ?? []);
  const noticing = cases.flatMap((id) =>
    once.get(id as TestCaseId)?.status === 'failed'
      ? [`${describeCase(id as TestCaseId)} fails when the source only gets a comment and the test a copy`]
      : [],
  );
  const differing = copies.flatMap((variant) => {
    const failed = reportsOf(variant, repeated.run).find(({ status }) => status === 'failed');
    const why = failed?.failure === undefined ? '' : `: ${oneLine(failed.failure.message, MAX_WORDS)}`;
    const words = `${placeOf(variant)} ${howOf(variant)}${why}`;
    return failed === undefined ? [] : [{ words, repeatsCalls: variant.repeatsCalls === true }];
  });
  const asked = wrong.variants.filter((variant) => reportsOf(variant, wrong.run).length > 0);
  const unnoticed = asked
    .filter((variant) => reportsOf(variant, wrong.run).every(({ status }) => status !== 'failed'))
    .map((variant) => `${placeOf(variant)} also passes with a wrong expected value`);
  const differs_again = noticing.length > 0 || differing.some(({ repeatsCalls }) => !repeatsCalls);
  const faults = [...noticing, ...(noticing.length === 0 ? differing.map(({ words }) => words) : []), ...unnoticed];
  if (faults.length > 0)
    return { outcome: 'failed', detail: listFirst(faults, { max: MAX_NAMED, separator: '; ' }), differs_again };
  const twice = copies.filter(({ repeatsCalls }) => repeatsCalls === true).length;
  const plain = copies.length - twice;
  const detail = [
    `${plain} ${plain === 1 ? 'passes' : 'pass'} when run twice in one process`,
    ...(twice === 0 ? [] : [`${twice} when each call is made twice`]),
    ...(asked.length === 0
      ? []
      : [`${asked.length} ${asked.length === 1 ? 'fails' : 'fail'} with a wrong expected value`]),
  ];
  return { outcome: 'held', detail: detail.join(', ') };
}

function howOf({ repeatsCalls }: Variant): string {
  return repeatsCalls === true ? 'fails when it makes each call twice' : 'fails when it runs twice in one process';
}

function reportsOf({ path, mark }: Tried['variants'][number], run: Tried['run']): TestRun['cases'] {
  return run?.cases.filter(({ file, name }) => file === path && name.includes(mark)) ?? [];
}

function placeOf({ path, line, name }: Tried['variants'][number]): string {
  return `${path}:${line} › ${oneLine(name, MAX_WORDS)}`;
}

function variantsOf(files: readonly VariedFile[], form: 'repeated' | 'wrong'): Tried['variants'] {
  return files.flatMap(({ path, [form]: { variants } }) => variants.map((each) => ({ ...each, path })));
}

interface GivenCases extends Pick<VariantFacts, 'cases' | 'sources'> {
  readonly staged: readonly ViewEntry[];
  readonly workspace: Workspace;
}

async function variedFiles(
  texts: readonly ChangedText[],
  { cases, staged, sources, workspace }: GivenCases,
  parse: ParseSyntax,
): Promise<VariedFile[]> {
  const added = cases.map(splitCaseId);
  const files: VariedFile[] = [];
  for (const { path, role, after: text } of texts) {
    const language = role === 'test' ? languageOfFile(path) : null;
    const tree = language === null ? null : await parse(language, text);
    if (language === null || tree?.kind !== 'parsed' || !tree.complete) continue;
    const entry = staged.find((each) => each.path === path)?.entry;
    const whole = entry?.kind === 'file' ? decodeUtf8(entry.bytes) : null;
    if (entry?.kind !== 'file' || whole === null || whole.length !== text.length) continue;
    const kept = await firstReadable(workspace, snapshotPaths(path));
    const before = kept === null ? '' : ((await textAt(workspace, kept)) ?? '');
    const { snapshots, ...varied } = writeVariants(
      { language, text, root: tree.root, whole, sources: sources.map((each) => each.path), snapshots: before },
      (written) => added.some(({ file, name }) => file === path && written.isReportedAs(name)),
    );
    const isCopied = kept !== null && snapshots !== before;
    files.push({
      path,
      executable: entry.executable,
      ...varied,
      snapshots: isCopied ? textEntry(kept, snapshots, false) : null,
    });
  }
  return files;
}

async function commentedEntries(
  sources: VariantFacts['sources'],
  staged: readonly ViewEntry[],
  parse: ParseSyntax,
): Promise<ViewEntry[]> {
  const entries: ViewEntry[] = [];
  for (const { path, after: text } of sources) {
    const language = languageOfFile(path);
    const tree = language === null ? null : await parse(language, text);
    if (language === null || tree?.kind !== 'parsed' || !tree.complete) continue;
    const commented = commentedSource(language, tree.root, text);
    const entry = staged.find((each) => each.path === path)?.entry;
    const executable = entry?.kind === 'file' && entry.executable;
    if (commented !== null) entries.push({ path, entry: { kind: 'file', bytes: Buffer.from(commented), executable } });
  }
  return entries;
}
