import { posix } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { CompiledPolicy } from '../../policy/index.ts';
import { startOf } from '../../runners/collected-name.ts';
import { collectsInProject, collectsInside, partFor, partsOf } from '../../runners/command-parts.ts';
import type { TestPart } from '../../runners/command-parts.ts';
import { requireRunner, runnerNamed } from '../../runners/registry.ts';
import type { Services } from '../../services.ts';
import type { Session } from '../../session/session.ts';

/**
 * Names of test directories. If a pattern of the test command starts with such a directory, all files in it belong to
 * the tests.
 */
const TEST_DIRECTORY = /^(?:tests?|specs?|__tests__|testing|e2e|integration|unit|features)$/i;

/**
 * Returns the services of one session, whose policy also counts a file as a test if the session's runner collects it.
 * Without this, the new source could be removed together with a file that the runner runs and that policy takes for
 * source.
 */
export function withCollectedTests(services: Services, session: Session): Services {
  const command = session.snapshot.options.test_command;
  if (command === null) return services;
  const collects = collectedBy(command);
  const added = {
    ...(collects === null ? {} : { collects }),
    holdsTests: (path: string): boolean => collectsInside(command, path),
  };
  let last: { readonly of: CompiledPolicy; readonly made: CompiledPolicy } | null = null;
  const policy = (): CompiledPolicy => {
    const of = services.policy();
    if (last?.of !== of) last = { of, made: { ...of, workspace: { ...of.workspace, ...added } } };
    return last.made;
  };
  return { ...services, policy };
}

/**
 * Returns whether the runner of the command collects a path. null if no runner of the command decides by names: the
 * runner is unknown, or it collects every file.
 */
export function collectedBy(command: TestCommand): ((path: string) => boolean) | null {
  const parts = partsOf(command).filter(({ runner }) => runnerNamed(runner) !== null);
  if (parts.length === 0) return null;
  const directories = parts.flatMap(testDirectories);
  return (path) => {
    if (directories.some((directory) => path.startsWith(`${directory}/`))) return true;
    const part = partFor(command, path);
    if (part === null || runnerNamed(part.runner) === null) return false;
    return collectsInProject(command, path) && !collectsAnything(part, posix.extname(path));
  };
}

function testDirectories(part: TestPart): readonly string[] {
  return requireRunner(part.runner)
    .namedBy(part)
    .map((pattern) => posix.join(part.cwd, startOf(pattern)))
    .filter((directory) => TEST_DIRECTORY.test(posix.basename(directory)));
}

/** Whether the runner collects a file of any name. Then the name does not show that a file is a test. */
function collectsAnything(part: TestPart, extension: string): boolean {
  const runner = requireRunner(part.runner);
  return ['', 'src/', 'lib/'].some((directory) => runner.collects(`${directory}ordinary${extension}`, part));
}
