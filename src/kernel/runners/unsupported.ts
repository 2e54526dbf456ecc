import { readManifest, scriptSign } from './javascript/package-signs.ts';
import type { ProjectFiles, Sign } from './runner.ts';

/** A test runner that is recognised but not supported. An error can name it before any cost arises. */
export interface UnsupportedRunner {
  readonly name: string;
  readonly title: string;
  /** The program that a package script starts, and the words after it. */
  readonly starts?: readonly string[];
  /** The command that starts it; absent: `npm test`. */
  readonly command?: readonly string[];
  /** Where its command leaves a report of JUnit, below the directory in which it starts. */
  readonly junit?: string;
  /** What an image of the user must have, because no toolchain of this machine is used for it. */
  readonly needs?: string;
  /** The npm package that contains it. */
  readonly dependency?: string;
  /** Matches entries of the project directory that are signs of it. */
  readonly files?: RegExp;
}

export function detectUnsupported(runner: UnsupportedRunner, project: ProjectFiles): Sign | null {
  const { starts = [], dependency, files } = runner;
  const manifest = readManifest(project);
  const started = scriptSign(manifest, (words) => (startsWith(words, starts) ? [] : null));
  if (started !== null) return started;
  if (dependency !== undefined && manifest?.dependencies.has(dependency) === true)
    return { strength: 'declared', because: 'package.json depends on it', args: [] };
  const file = files === undefined ? undefined : project.names('').find((name) => files.test(name));
  return file === undefined ? null : { strength: 'tests', because: `there is ${file}`, args: [] };
}

function startsWith(words: readonly string[], [program, ...rest]: readonly string[]): boolean {
  if (program === undefined) return false;
  const at = words.findIndex((word) => word === program || word.endsWith(`/${program}`));
  return at !== -1 && rest.every((word, index) => words[at + 1 + index] === word);
}
