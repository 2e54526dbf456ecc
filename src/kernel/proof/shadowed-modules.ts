import { posix } from 'node:path';
import type { ProjectPath } from '../../contracts/ids.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { classifyPath } from '../policy/index.ts';
import type { SessionContext } from '../services.ts';

const MAX_FILES = 20_000;
const MAX_NAMED = 3;
/** Directories, relative to the directory of the command, from which Python imports modules by their own names. */
const SOURCE_ROOTS = new Set(['', 'src', 'lib', 'python']);

export interface Shadowed {
  readonly test: string;
  readonly module: string;
}

/**
 * Pure: returns new Python test files that hide a module of the project. Python first looks for a module in the
 * directory of the test. So `from mul import mul` would load `tests/mul.py`, and the project's `mul.py` would never
 * run.
 */
export function shadowedModules(
  added: readonly string[],
  sources: readonly string[],
  { all, cwd }: { readonly all: ReadonlySet<string>; readonly cwd: string },
): Shadowed[] {
  const modules = new Map<string, string>();
  for (const path of sources) {
    const { root, name } = importedAs(path, all);
    if (SOURCE_ROOTS.has(posix.relative(cwd, root))) modules.set(name, path);
  }
  return added.flatMap((test) => {
    const { root, name } = importedAs(test, all);
    const module = modules.get(name);
    return module === undefined || importedAs(module, all).root === root ? [] : [{ test, module }];
  });
}

/** The directory from which Python imports a file, and the name of its outermost package or module there. */
function importedAs(path: string, all: ReadonlySet<string>): { readonly root: string; readonly name: string } {
  let root = posix.dirname(path);
  let name = posix.basename(path, '.py');
  while (root !== '.' && all.has(`${root}/__init__.py`)) {
    name = posix.basename(root);
    root = posix.dirname(root);
  }
  return { root: root === '.' ? '' : root, name };
}

/** Returns why a run proves nothing, and what to do. null if no new test file hides a module. */
export async function whyShadowed({ services, session, workspace }: SessionContext): Promise<string | null> {
  const isTest = (path: string): boolean => classifyPath(services.policy(), path).kind === 'test';
  const added = (await workspace.changes())
    .filter(({ path, before, after }) => path.endsWith('.py') && before.kind === 'absent' && after.kind === 'file')
    .map(({ path }) => path)
    .filter((path) => isTest(path) && posix.basename(path) !== 'conftest.py');
  if (added.length === 0) return null;
  const { paths } = await workspace.glob('**/*.py', '' as ProjectPath, MAX_FILES);
  const sources = paths.filter((path) => !isTest(path));
  const cwd = session.snapshot.options.test_command?.cwd ?? '';
  const found = shadowedModules(added, sources, { all: new Set(paths), cwd });
  if (found.length === 0) return null;
  const named = listFirst(found, {
    max: MAX_NAMED,
    separator: '; ',
    name: ({ test, module }) => `${test} has the name of ${module}`,
  });
  const back = session.state === 'test_writing' ? '' : 'Go back with workflow.revise_tests, and ';
  return `${named}. Python would load the test's file instead, and the project's module would never run. ${back === '' ? 'Give' : `${back}give`} it another name.`;
}
