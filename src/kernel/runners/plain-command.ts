import type { TestJob } from '../../contracts/ports/sandboxes.ts';

/** The project's own test command, as a person types it in the directory of the test command. */
export interface PlainCommand {
  /** For people: `npm test`. */
  readonly words: string;
  /** For a POSIX shell. */
  readonly script: string;
  /** A build command that must run first; null if none is known. */
  readonly build: { readonly words: string; readonly script: string } | null;
  readonly env: PlainEnvironment;
  readonly image: TestJob['image'];
}

/** A command that checks the sources of the project: lint, types, format. Its exit code is the result. */
export type PlainCheck = Omit<PlainCommand, 'build'>;

/** Facts about the project for a plain command. */
export interface PlainProject {
  /** Absolute path inside the sandbox. */
  readonly projectRoot: string;
  /** Text of package.json in the directory of the command; '' if there is none. */
  readonly manifest: string;
}

/** Program directories of the system in a sandbox. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export type PlainEnvironment = Readonly<Record<string, string>> & { readonly PATH: string };

/** Returns variables that a user's shell also has. The directories in `first` come before those of the system. */
export function plainEnvironment(first: readonly string[]): PlainEnvironment {
  return { PATH: [...first, SYSTEM_PATH].join(':'), HOME: '/tmp', LANG: 'C.UTF-8' };
}

/**
 * Returns a script that deletes its build output after the run. The output is not needed, and later steps would have to
 * read it.
 */
export function withoutBuilt(script: string, remove: string): string {
  return `${script}; code=$?; ${remove}; exit "$code"`;
}
