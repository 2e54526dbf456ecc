import { z } from 'zod';
import type { Words } from '../command-words.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { scriptCommands } from './script-commands.ts';

const manifestSchema = z.looseObject({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** The parts of a package.json that affect how tests run. */
export interface PackageManifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: ReadonlySet<string>;
}

/** Names of scripts that run tests. The first one that exists is used. */
export const SCRIPTS = ['test', 'test:unit', 'unit', 'test:run', 'test:ci', 'tests'];

/** Returns null if there is no package.json, or it cannot be read. */
export function readManifest(project: ProjectFiles): PackageManifest | null {
  return readManifestText(project.text('package.json'));
}

/** Returns null if the text is not a manifest. */
export function readManifestText(text: string): PackageManifest | null {
  // Most directories have no package.json, and every runner reads it. An exception for each would be slow.
  if (text === '') return null;
  try {
    const parsed = manifestSchema.parse(JSON.parse(text));
    const dependencies = new Set(Object.keys({ ...parsed.dependencies, ...parsed.devDependencies }));
    return { scripts: parsed.scripts ?? {}, dependencies };
  } catch {
    return null;
  }
}

/**
 * Returns the first command in the test scripts that a runner recognises. `argumentsOf` returns the runner's arguments,
 * or null for a command of another program.
 */
export function scriptSign(
  manifest: PackageManifest | null,
  argumentsOf: (words: Words) => readonly string[] | null,
  because: (name: string) => string = (name) => `the script "${name}" in package.json starts it`,
): Sign | null {
  const commands = SCRIPTS.flatMap((name) =>
    scriptCommands(name, manifest?.scripts ?? {}).map((words) => ({ name, words })),
  );
  for (const [position, { name, words }] of commands.entries()) {
    const args = argumentsOf(words);
    if (args !== null) return { strength: 'script', position, because: because(name), args };
  }
  return null;
}

/** Returns whether a command starts this program, by its name or path. */
export function starts(words: Words, program: string): boolean {
  return words.some((word) => word === program || word.endsWith(`/${program}`));
}

/** Returns a sign by a settings file of the runner, which a package may also get from another package, or by a dependency on it. */
export function declaredSign(
  project: ProjectFiles,
  runner: string,
  settings: RegExp,
  args: () => readonly string[],
): Sign | null {
  const file = project.names('').find((name) => settings.test(name));
  if (file !== undefined) return { strength: 'declared', position: -1, because: `there is ${file}`, args: args() };
  if (readManifest(project)?.dependencies.has(runner) !== true) return null;
  return { strength: 'declared', because: 'package.json depends on it', args: args() };
}
