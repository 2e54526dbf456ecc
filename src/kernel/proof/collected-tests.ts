import { posix } from 'node:path';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import { startOf } from '../runners/collected-name.ts';
import { collectsInProject, collectsInside, partFor, partsOf } from '../runners/command-parts.ts';
import type { TestPart } from '../runners/command-parts.ts';
import { requireRunner, runnerNamed } from '../runners/registry.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';

/** A directory of tests by its name, at the start of a pattern of the test command: what else is in it belongs to the tests. */
const TEST_DIRECTORY = /^(?:tests?|specs?|__tests__|testing|e2e|integration|unit|features)$/i;

/**
 * The services of one session: for them a file is a test if policy says so, or if the session's runner collects it. A file that the runner runs and policy
 * takes for source could be emptied with the source.
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

/** null where no runner of the command says anything of names: it is unknown, or collects whatever there is. */
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

/** Then a name says nothing of a file. */
function collectsAnything(part: TestPart, extension: string): boolean {
  const runner = requireRunner(part.runner);
  return ['', 'src/', 'lib/'].some((directory) => runner.collects(`${directory}ordinary${extension}`, part));
}
