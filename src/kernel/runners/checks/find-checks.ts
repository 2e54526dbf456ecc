import type { PlainCheck } from '../plain-command.ts';
import { cargo } from './cargo.ts';
import type { CheckedDirectory, CheckSource } from './check-source.ts';
import { gitHooks } from './git-hooks.ts';
import { goVet } from './go-vet.ts';
import { makeTargets } from './make-targets.ts';
import { packageScripts } from './package-scripts.ts';
import { pythonTools } from './python-tools.ts';

/** Sources of checks. If there are too many checks, the first ones are used. */
const SOURCES: readonly CheckSource[] = [packageScripts, pythonTools, goVet, cargo, makeTargets, gitHooks];

/** All files that the sources of checks read. */
export const CHECK_FILES: readonly string[] = [...new Set(SOURCES.flatMap(({ reads }) => reads))];

/** Pure: returns the checks of a directory. Equal commands are returned once. */
export function findChecks(directory: CheckedDirectory): readonly PlainCheck[] {
  const found = new Map<string, PlainCheck>();
  for (const check of SOURCES.flatMap((source) => source.find(directory)))
    if (!found.has(check.script)) found.set(check.script, check);
  return [...found.values()];
}
