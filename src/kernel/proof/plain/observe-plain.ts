import { assertNever } from '../../../lib/assert-never.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { PlainCommand } from '../../runners/plain-command.ts';
import { filesByPart } from '../../runners/command-parts.ts';
import type { TestPart } from '../../runners/command-parts.ts';
import { requireRunner } from '../../runners/registry.ts';
import type { SessionContext } from '../../services.ts';
import type { Observed } from '../observations/observe.ts';
import { observeChecks } from '../checks/observe-checks.ts';
import type { ChecksObserved } from '../checks/observe-checks.ts';
import { committedView } from './committed-view.ts';
import type { CommittedView } from './committed-view.ts';
import { textOf } from './project-text.ts';
import { runPlain } from './plain-run.ts';
import type { PlainResult } from './plain-run.ts';

const MAX_WHY = 300;

export interface PlainObserved extends Observed {
  /** Text for the model if the command fails because of this change, otherwise null. */
  readonly failure: string | null;
}

/** A part of the test command, and the text of package.json in its directory; '' if there is none. */
interface Package {
  readonly part: TestPart;
  readonly manifest: string;
}

type View = Extract<CommittedView, { kind: 'ok' }>;

/**
 * Runs the project's own test command, as its user types it, on exactly the tree to be committed with installed
 * dependencies. There are no canaries, no report and no files that git ignores, so the exit code can show failures that
 * the instrumented runs hide. If the command also fails on HEAD, it says nothing about the change. If it does not fail,
 * the project's own checks of lint, types and format run too.
 */
export async function observePlain(context: SessionContext, command: TestCommand): Promise<PlainObserved> {
  const view = await committedView(context);
  if (view.kind === 'failed') return impossible(view.why);
  const changed = (await context.workspace.changes()).map(({ path }) => path);
  const touched = filesByPart(command, changed).map(({ part }) => part);
  const withManifest = async (part: TestPart): Promise<Package> => ({
    part,
    manifest: await manifestOf(context.workspace, part),
  });
  const [first = command, ...others] = touched;
  const packages = [await withManifest(first), ...(await Promise.all(others.map(withManifest)))] as const;
  let observed = await observePart(context, packages[0], view);
  for (const each of packages.slice(1)) observed = worseOf(observed, await observePart(context, each, view));
  if (observed.outcome === 'failed' || command.checks === 'none') return observed;
  const parts = packages.map(({ part }) => part);
  return withChecks(observed, await observeChecks(context, { touched: parts, changed }, view));
}

function withChecks(observed: PlainObserved, checks: ChecksObserved): PlainObserved {
  switch (checks.kind) {
    case 'none':
      return observed;
    case 'held':
      return { ...observed, detail: `${observed.detail}; ${checks.detail}` };
    case 'failed':
      return { outcome: 'failed', detail: checks.detail, failure: checks.failure };
    default:
      return assertNever(checks);
  }
}

/** The worse of two results: a failed part decides, then one that is impossible. */
function worseOf(one: PlainObserved, other: PlainObserved): PlainObserved {
  const bad = (['failed', 'impossible'] as const).flatMap((outcome) =>
    [one, other].filter((each) => each.outcome === outcome),
  );
  return bad[0] ?? held([one, other].map(({ detail }) => detail.replace(/ passes$/, '')).join(' and '));
}

async function observePart(context: SessionContext, { part, manifest }: Package, view: View): Promise<PlainObserved> {
  const { project_root: projectRoot } = context.services.options;
  const plain = requireRunner(part.runner).plain(part, { projectRoot, manifest });
  const run = async (script: string, entries: View['committed']): Promise<PlainResult> => {
    const result = await runPlain(context, { ...plain, script }, part, entries);
    context.signal.throwIfAborted();
    return result;
  };

  const known = knownOnHead(context, plain);
  if (known !== null && known.ends === 'fails') return impossible(known.why);
  const built = known?.ends === 'passes-built' ? withBuild(plain) : null;
  const result = await run(built?.script ?? plain.script, view.committed);
  if (known !== null || result.kind !== 'failed') return observedOf(built?.words ?? plain.words, result);

  const onHead = await run(plain.script, view.onHead);
  if (onHead.kind === 'passed')
    return keep(context, plain, { ends: 'passes', why: '' }, failed(plain.words, result.why));
  if (onHead.kind === 'not-run') return notRunOnHead(plain.words, onHead.why);
  const why = `${plain.words} does not pass on HEAD either: ${oneLine(onHead.why, MAX_WHY)}`;
  const build = withBuild(plain);
  const builtOnHead = build === null ? null : await run(build.script, view.onHead);
  if (build === null || builtOnHead === null || builtOnHead.kind === 'failed') {
    return keep(context, plain, { ends: 'fails', why }, impossible(why));
  }
  if (builtOnHead.kind === 'not-run') return notRunOnHead(build.words, builtOnHead.why);
  const afterBuild = await run(build.script, view.committed);
  return keep(context, plain, { ends: 'passes-built', why: '' }, observedOf(build.words, afterBuild));
}

function withBuild({ words, script, build }: PlainCommand): { readonly words: string; readonly script: string } | null {
  if (build === null) return null;
  return { words: `${build.words} && ${words}`, script: `( ${build.script} ) && ( ${script} )` };
}

function manifestOf(workspace: Workspace, { cwd }: TestPart): Promise<string> {
  return textOf(workspace, [cwd, 'package.json'].filter((part) => part !== '').join('/') as ProjectPath);
}

type OnHead = { readonly ends: 'passes' | 'passes-built' | 'fails'; readonly why: string };

/** The result of the same command on this HEAD, if it ran in this session. */
function knownOnHead({ session }: SessionContext, { script }: PlainCommand): OnHead | null {
  const { plain_on_head: known, base } = session.snapshot;
  return known !== null && known.head === base?.head && known.script === script ? known : null;
}

function keep(
  { session }: SessionContext,
  { script }: PlainCommand,
  found: OnHead,
  observed: PlainObserved,
): PlainObserved {
  const { base } = session.snapshot;
  if (base !== null) session.update({ plain_on_head: { head: base.head, script, ...found } });
  return observed;
}

function observedOf(words: string, result: PlainResult): PlainObserved {
  if (result.kind === 'passed') return held(words);
  return result.kind === 'failed' ? failed(words, result.why) : impossible(`${words}: ${result.why}`);
}

/** This result is not kept: if the run could not be made, it says nothing about HEAD. */
function notRunOnHead(words: string, why: string): PlainObserved {
  return impossible(`${words} on HEAD: ${oneLine(why, MAX_WHY)}`);
}

function held(words: string): PlainObserved {
  return { outcome: 'held', detail: `${words} passes`, failure: null };
}

function failed(words: string, why: string): PlainObserved {
  return {
    outcome: 'failed',
    detail: `${words} fails with this change: ${oneLine(why, MAX_WHY)}`,
    failure: `The project's own command (${words}) passes on HEAD and fails on exactly what would be committed, although every test passed one by one: ${why}\nUsual reasons: an assertion or error after the end of its test, process.exitCode, a file that git ignores, a linter or threshold in the command. Correct the source, or go back with workflow.revise_tests if the test is wrong.`,
  };
}

function impossible(detail: string): PlainObserved {
  return { outcome: 'impossible', detail, failure: null };
}
