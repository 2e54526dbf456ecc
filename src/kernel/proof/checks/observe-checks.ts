import { ancestors } from '../../../lib/ancestors.ts';
import { lastText } from '../../../lib/text/first-last.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import { VIRTUAL_ENVIRONMENT_PROGRAMS } from '../../../contracts/sandbox/virtual-environments.ts';
import { plainEnvironment } from '../../runners/plain-command.ts';
import type { PlainCheck } from '../../runners/plain-command.ts';
import { NOT_INSTALLED } from '../../runners/checks/check-source.ts';
import { CHECK_FILES, findChecks } from '../../runners/checks/find-checks.ts';
import { requireRunner } from '../../runners/registry.ts';
import type { TestPart } from '../../runners/command-parts.ts';
import type { SessionContext } from '../../services.ts';
import { countObservation } from '../observations/observe.ts';
import { runPlain } from '../plain/plain-run.ts';
import { textOf } from '../plain/project-text.ts';

/** The result of the project's own checks for a change. */
export type ChecksObserved =
  | { readonly kind: 'none' }
  | { readonly kind: 'held'; readonly detail: string }
  /** `failure` is the text for the model. */
  | { readonly kind: 'failed'; readonly detail: string; readonly failure: string };

interface Views {
  readonly committed: readonly ViewEntry[];
  readonly onHead: readonly ViewEntry[];
}

type Checked =
  | { readonly kind: 'passed'; readonly words: string }
  | { readonly kind: 'failed' | 'failed-before' | 'not-run'; readonly words: string; readonly why: string };

const MAX_CHECKS = 6;
/** A check that takes longer probably watches files and never ends. */
const CHECK_TIMEOUT_MS = 2 * 60_000;
const MAX_WHY = 300;
/** Maximum length of a failure that HEAD has too. */
const MAX_OLD_WHY = 120;
/** Directories in which a project installs its programs. */
const INSTALLED = ['node_modules/.bin', ...VIRTUAL_ENVIRONMENT_PROGRAMS, 'vendor/bin'];

/** Files that show that a directory is a package with checks of its own. */
const MANIFESTS = ['package.json', 'pyproject.toml'];

/** The parts of the test command that a change affects, and the changed paths. */
interface Touched {
  readonly touched: readonly TestPart[];
  readonly changed: readonly string[];
}

/** A check, and the directory that it runs in. */
interface Found {
  readonly part: TestPart;
  readonly check: PlainCheck;
}

/**
 * Runs the lint, type and format checks of the changed packages and of the project's root, on exactly the tree to be
 * committed, several at the same time. A check that also fails on HEAD says nothing about the change, and a check whose
 * program is not installed is not run.
 */
export async function observeChecks(
  context: SessionContext,
  { touched, changed }: Touched,
  views: Views,
): Promise<ChecksObserved> {
  const parts = withRoot(await withMembers(context, touched, changed));
  const all = (await Promise.all(parts.map((part) => checksOf(context, part)))).flat();
  if (all.length === 0) return { kind: 'none' };
  const made = all.slice(0, MAX_CHECKS);
  let ended = 0;
  const showProgress = (): void => countObservation(context.session, 'plain', ended, made.length);
  showProgress();
  const checked = await Promise.all(
    made.map(async (found) => {
      const result = await checkOne(context, found, views);
      ended += 1;
      showProgress();
      return result;
    }),
  );
  context.signal.throwIfAborted();
  return together(checked);
}

/** Adds packages of a workspace whose tests belong to the root's test command. They have checks of their own. */
async function withMembers(
  { workspace }: SessionContext,
  touched: readonly TestPart[],
  changed: readonly string[],
): Promise<readonly TestPart[]> {
  const [first] = touched;
  const above = new Set(changed.flatMap((path) => ancestors(path)));
  const found = await Promise.all(
    [...above].sort().map(async (cwd) => {
      if (touched.some((part) => part.cwd === cwd)) return [];
      const kinds = await Promise.all(MANIFESTS.map((name) => workspace.kindOf(`${cwd}/${name}` as ProjectPath)));
      return kinds.includes('file') ? [cwd] : [];
    }),
  );
  return first === undefined ? touched : [...touched, ...found.flat().map((cwd) => ({ ...first, cwd }))];
}

function withRoot(touched: readonly TestPart[]): readonly TestPart[] {
  const [first] = touched;
  if (first === undefined || touched.some(({ cwd }) => cwd === '')) return touched;
  return [...touched, { ...first, cwd: '' }];
}

async function checksOf({ services, workspace }: SessionContext, part: TestPart): Promise<readonly Found[]> {
  const { project_root: projectRoot } = services.options;
  const pathOf = (name: string) => (part.cwd === '' ? name : `${part.cwd}/${name}`) as ProjectPath;
  const texts = new Map(
    await Promise.all(CHECK_FILES.map(async (name) => [name, await textOf(workspace, pathOf(name))] as const)),
  );
  const homes = [...new Set([part.cwd === '' ? projectRoot : `${projectRoot}/${part.cwd}`, projectRoot])];
  const env = plainEnvironment(homes.flatMap((home) => INSTALLED.map((directory) => `${home}/${directory}`)));
  const { image } = requireRunner(part.runner).plain(part, { projectRoot, manifest: '' });
  return findChecks({ text: (name) => texts.get(name) ?? '', env, projectRoot, image }).map((check) => ({
    part,
    check,
  }));
}

async function checkOne(context: SessionContext, { part, check }: Found, views: Views): Promise<Checked> {
  const { words } = check;
  if (context.session.snapshot.hanging_checks.includes(hangingKey(part, check)))
    return { kind: 'not-run', words, why: 'it did not end in time before, in this session' };
  const result = await runPlain(context, check, part, views.committed, CHECK_TIMEOUT_MS);
  if (result.kind === 'passed') return { kind: 'passed', words };
  if (result.kind === 'not-run') {
    if (result.timedOut === true) rememberHanging(context, hangingKey(part, check), words, result.why);
    return { kind: 'not-run', words, why: result.why };
  }
  if (result.code === NOT_INSTALLED) return { kind: 'not-run', words, why: lastText(result.why.split('\n')) };
  const onHead = await runPlain(context, check, part, views.onHead, CHECK_TIMEOUT_MS);
  if (onHead.kind === 'not-run') return { kind: 'not-run', words, why: onHead.why };
  return onHead.kind === 'failed'
    ? { kind: 'failed-before', words, why: onHead.why }
    : { kind: 'failed', words, why: result.why };
}

function hangingKey({ cwd }: TestPart, { script }: PlainCheck): string {
  return `${cwd}\n${script}`;
}

/** The next green run skips this check. */
function rememberHanging({ session }: SessionContext, key: string, words: string, why: string): void {
  session.update({ hanging_checks: [...session.snapshot.hanging_checks, key] });
  session.emit({
    type: 'notice',
    level: 'info',
    what: `The check ${words} did not end`,
    why: `${why}; its result is ignored, and it is not run again in this session`,
    fix: 'A script that watches files never ends: use one that does, or set test.checks to none',
    code: 'check_hangs',
  });
}

function together(checked: readonly Checked[]): ChecksObserved {
  const failed = checked.flatMap((each) => (each.kind === 'failed' ? [each] : []));
  if (failed.length > 0) {
    const said = failed.map(({ words, why }) => `${words}: ${why}`).join('\n');
    const notRun = checked.flatMap((each) => (each.kind === 'not-run' ? [each] : []));
    return {
      kind: 'failed',
      detail: [
        ...failed.map(({ words, why }) => `${words} fails with this change: ${oneLine(why, MAX_WHY)}`),
        ...notRun.map(({ words, why }) => `${words} was not run: ${oneLine(why, MAX_WHY)}`),
      ].join('; '),
      failure: `The project's own checks pass on HEAD and fail on exactly what would be committed. ${said}\nCorrect the files of this change that they name. To change a test file, call workflow.revise_tests.`,
    };
  }
  const listed = checked.map((each) => {
    switch (each.kind) {
      case 'passed':
        return `${each.words} passes`;
      case 'failed-before':
        return `${each.words} does not pass on HEAD either (${oneLine(each.why, MAX_OLD_WHY)})`;
      case 'not-run':
      case 'failed':
        return `${each.words} was not run: ${oneLine(each.why, MAX_WHY)}`;
    }
  });
  return { kind: 'held', detail: listed.join(', ') };
}
