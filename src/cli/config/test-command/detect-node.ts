import { z } from 'zod';
import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { nodeTestArguments } from './node-test-arguments.ts';
import type { ProjectDirectory } from './project-directory.ts';
import { scriptCommands } from './script-commands.ts';
import type { Words } from './script-commands.ts';
import { vitestArguments } from './vitest-arguments.ts';

const packageSchema = z.looseObject({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Scripts that run a project's tests, the first that names a runner counts. */
const SCRIPTS = ['test', 'test:unit', 'unit', 'test:run', 'test:ci', 'tests'];
const OTHERS = ['vitest', 'jest', 'mocha'] as const;

/** How the tests of a package run, read from its scripts, its dependencies and its names; null when there is no sign of a runner. */
export async function detectNode(directory: ProjectDirectory, cwd: string): Promise<TestCommand | null> {
  const manifest = parse(await directory.text('package.json'));
  if (manifest === null) return null;
  const named = await fromScripts(manifest.scripts ?? {}, directory, cwd);
  if (named !== null) return named;
  const depends = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const runner of OTHERS) if (runner in depends) return commandOf(runner, [], directory, cwd);
  const names = await directory.names('');
  const hasTests = names.some((name) => name === 'test' || name === 'tests' || /[.-]test\.[cm]?[jt]s$/.test(name));
  return hasTests && Object.keys(depends).length === 0 ? { runner: 'node-test', cwd, args: [] } : null;
}

async function fromScripts(
  scripts: Readonly<Record<string, string>>,
  directory: ProjectDirectory,
  cwd: string,
): Promise<TestCommand | null> {
  for (const words of SCRIPTS.flatMap((name) => scriptCommands(name, scripts))) {
    const args = nodeTestArguments(words);
    if (args !== null) return { runner: 'node-test', cwd, args };
    const runner = OTHERS.find((each) => words.some((word) => word === each || word.endsWith(`/${each}`)));
    if (runner !== undefined) return commandOf(runner, words, directory, cwd);
  }
  return null;
}

async function commandOf(
  runner: (typeof OTHERS)[number],
  words: Words,
  directory: ProjectDirectory,
  cwd: string,
): Promise<TestCommand> {
  const args = runner === 'vitest' ? await vitestArguments(words, (path) => directory.text(path)) : [];
  return { runner, cwd, args };
}

function parse(json: string): z.infer<typeof packageSchema> | null {
  try {
    return packageSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
