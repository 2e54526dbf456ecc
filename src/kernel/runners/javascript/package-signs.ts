import { z } from 'zod';
import type { Words } from '../command-words.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { scriptCommands } from './script-commands.ts';

const manifestSchema = z.looseObject({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** What a package.json says of how tests run. */
export interface PackageManifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: ReadonlySet<string>;
}

/** Scripts that run a project's tests, in the order in which they count. */
export const SCRIPTS = ['test', 'test:unit', 'unit', 'test:run', 'test:ci', 'tests'];

/** null where there is no package.json, or none that can be read. */
export function readManifest(project: ProjectFiles): PackageManifest | null {
  return readManifestText(project.text('package.json'));
}

/** null for a text that is not a manifest. */
export function readManifestText(text: string): PackageManifest | null {
  // Most directories have none, and each runner asks: an exception costs more than the rest.
  if (text === '') return null;
  try {
    const parsed = manifestSchema.parse(JSON.parse(text));
    const dependencies = new Set(Object.keys({ ...parsed.dependencies, ...parsed.devDependencies }));
    return { scripts: parsed.scripts ?? {}, dependencies };
  } catch {
    return null;
  }
}

/** The first command of the test scripts that a runner recognises. `argumentsOf` gives the runner's arguments, or null for a command that is not its own. */
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

/** Whether a command starts this program, by its name or by a path to it. */
export function starts(words: Words, program: string): boolean {
  return words.some((word) => word === program || word.endsWith(`/${program}`));
}
