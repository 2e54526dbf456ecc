import { posix } from 'node:path';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { TestPart } from '../../runners/command-parts.ts';
import { pathInside } from '../../runners/missing-module.ts';
import { requireRunner } from '../../runners/registry.ts';
import { textAt } from '../read-text.ts';

/** What a specifier can lack of the name of its file. */
const ENDINGS = ['', '.js', '.py'];

/** Returns the run with an explanation if a test file did not load because a file is missing that a build makes: git ignores it. */
export async function withUnbuilt(
  workspace: Workspace,
  projectRoot: string,
  part: TestPart,
  run: TestRun,
): Promise<TestRun> {
  for (const each of run.cases) {
    const { file, failure } = each;
    const missing = failure?.kind === 'load' && failure.missing?.export === undefined ? failure.missing : undefined;
    const path = missing === undefined ? null : pathInside(projectRoot, file, missing.specifier);
    if (failure === undefined || path === null || !(await isMade(workspace, path))) continue;
    const manifest = (await textAt(workspace, posix.join(part.cwd, 'package.json'))) ?? '';
    const { build, words } = requireRunner(part.runner).plain(part, { projectRoot, manifest });
    const message = `${failure.message}\n${explain(path, build?.words ?? null, words)}`;
    const cases = run.cases.map((other) => (other === each ? { ...each, failure: { ...failure, message } } : other));
    return { ...run, cases };
  }
  return run;
}

async function isMade(workspace: Workspace, path: string): Promise<boolean> {
  for (const ending of ENDINGS) if (await workspace.isIgnored(`${path}${ending}` as ProjectPath)) return true;
  return false;
}

function explain(path: string, build: string | null, test: string): string {
  const made = `${posix.normalize(path)} is missing, and git ignores it: a build of the project makes it, and test.run makes no build.`;
  return build === null
    ? `${made} Ask the user to build the project.`
    : `${made} Ask the user to run ${build} in the project. If the task changes what is built, the user needs a command that builds before each run, in test.commands of their own configuration: [sh, -c, "${build} && ${test}"].`;
}
