import type { Finding } from '../../../contracts/review/proof.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import type { SessionContext } from '../../services.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { functionName } from '../findings/names.ts';
import { unusableRun } from '../red.ts';
import { collectTestFiles, runTests } from '../run/run-tests.ts';
import { brokenRunLimitMs, caseLimitMs } from '../run/time-limits.ts';
import { replacedBodies } from '../syntax/replaced-bodies.ts';
import { textOf } from '../syntax/walk.ts';
import { caseId } from '../test-case-id.ts';
import { rewrittenSources } from '../views/rewritten-sources.ts';
import { stagedEntries, withEntries } from '../views/staged-entries.ts';
import { caseMentions } from './case-mentions.ts';
import type { Mentions } from './case-mentions.ts';
import { trivialBody, TRIVIAL_FORMS } from './trivial-bodies.ts';
import type { TrivialForm } from './trivial-bodies.ts';

const MAX_NAMED = 5;

const WORDS: Readonly<Record<TrivialForm, string>> = {
  given: 'each of these only returns its argument',
  constant: 'each of these returns the same to every call',
};

export interface TrivialFacts {
  readonly command: TestCommand;
  readonly baseline: Baseline;
  /** The run of the whole suite at green. */
  readonly suite: TestRun;
  readonly texts: readonly ChangedText[];
  readonly sources: readonly ChangedText[];
  /** Ids of the new cases. */
  readonly cases: readonly string[];
  /** The files of the new cases. */
  readonly files: readonly string[];
}

interface Replaced {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/**
 * Replaces the bodies of all changed functions at the same time, then only of those that no case failed for. Some tests
 * only check relations: `decode(encode(x))` is `x`, the order of arguments does not matter, two changed functions
 * return the same. Such a test notices each mutant of a single function, but still passes when all functions do no
 * work.
 */
export async function unnoticedTogether(context: SessionContext, facts: TrivialFacts): Promise<Finding[]> {
  const { services, workspace } = context;
  const staged = await stagedEntries(workspace, await workspace.changes());
  if (staged.kind === 'failed') return [];
  const mentions = await caseMentions(facts.texts, services.parseSyntax);
  const found = await Promise.all(
    TRIVIAL_FORMS.map(async (form) => {
      let { replaced, entries } = await withoutWork(context, facts, form, () => true);
      let left = replaced;
      do {
        if (entries.length === 0) return [];
        replaced = left;
        const run = await runOn(context, facts, withEntries(staged.entries, entries), facts.files);
        left = notPinned(run, facts, replaced, mentions);
        ({ entries } = await withoutWork(context, facts, form, (each) => left.some((kept) => isSame(kept, each))));
      } while (left.length > 0 && left.length < replaced.length);
      if (left.length === 0) return [];
      const all = await collectTestFiles(workspace, facts.command);
      const others = all?.filter((file) => !facts.files.includes(file)) ?? [];
      if (all === null) return [];
      const isElsewhere =
        others.length > 0 &&
        isNoticed(await runOn(context, facts, withEntries(staged.entries, entries), others), facts.baseline);
      return isElsewhere ? [] : [findingOf(form, left)];
    }),
  );
  return found.flat();
}

/** Returns the sources with the bodies of the selected changed functions replaced. */
async function withoutWork(
  { services }: SessionContext,
  { sources }: TrivialFacts,
  form: TrivialForm,
  isMeant: (replaced: Replaced) => boolean,
): Promise<{ readonly replaced: Replaced[]; readonly entries: ViewEntry[] }> {
  const replaced: Replaced[] = [];
  const entries = await rewrittenSources(sources, services.parseSyntax, (source, isChanged) =>
    replacedBodies(source, (node, text) => {
      const body = isChanged(node) ? trivialBody(form, node, source) : null;
      const name = body === null ? null : functionName(node);
      if (name === null) return null;
      const each = { name: textOf(name, text), path: source.path, line: node.line };
      if (!isMeant(each)) return null;
      replaced.push(each);
      return body;
    }),
  );
  return { replaced, entries };
}

function isSame(one: Replaced, other: Replaced): boolean {
  return one.path === other.path && one.line === other.line && one.name === other.name;
}

async function runOn(
  { services, session, signal }: SessionContext,
  { command, suite }: TrivialFacts,
  overrides: readonly ViewEntry[],
  files: readonly string[],
): Promise<TestRun> {
  const view = await services.workspaces.scratch();
  try {
    const site = { ...view, session, overrides, deadlineMs: brokenRunLimitMs(suite), caseMs: caseLimitMs(suite) };
    return await runTests(services, site, command, files, signal);
  } finally {
    await view.close();
  }
}

function isNoticed(run: TestRun, baseline: Baseline): boolean {
  const before = new Set<string>(baseline.kind === 'known' ? baseline.failed : []);
  return unusableRun(run) !== null || run.cases.some((each) => each.status === 'failed' && !before.has(caseId(each)));
}

/** Pure: returns the replaced functions that a passing new case names and no failing case names. */
export function notPinned(
  run: TestRun,
  { cases, baseline }: Pick<TrivialFacts, 'cases' | 'baseline'>,
  replaced: readonly Replaced[],
  mentions: Mentions,
): Replaced[] {
  if (unusableRun(run) !== null) return [];
  const before = new Set<string>(baseline.kind === 'known' ? baseline.failed : []);
  const isNew = new Set(cases);
  const passed: ReadonlySet<string>[] = [];
  const failed: ReadonlySet<string>[] = [];
  for (const each of run.cases) {
    const id = caseId(each);
    if (each.status === 'failed' && before.has(id)) continue;
    const names = mentions(id);
    if (each.status === 'failed' && names === null) return [];
    if (each.status === 'failed' && names !== null) failed.push(names);
    if (each.status === 'passed' && isNew.has(id) && names !== null) passed.push(names);
  }
  return replaced.filter(
    ({ name }) => passed.some((names) => names.has(name)) && !failed.some((names) => names.has(name)),
  );
}

function findingOf(form: TrivialForm, replaced: readonly Replaced[]): Finding {
  const [{ path, line } = { path: '', line: 1 }] = replaced;
  const named = listFirst([...new Set(replaced.map(({ name }) => name))], { max: MAX_NAMED });
  return { kind: 'unnoticed-function', path, line, words: `no test notices when ${WORDS[form]}: ${named}` };
}
