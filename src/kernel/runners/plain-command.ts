import type { TestJob } from '../../contracts/ports/sandboxes.ts';

/** The project's own test command, as a person types it in the directory of the test command. */
export interface PlainCommand {
  /** For people: `npm test`. */
  readonly words: string;
  /** For a POSIX shell. */
  readonly script: string;
  /** What has to run before it where the project is built first; null: nothing is known. */
  readonly build: { readonly words: string; readonly script: string } | null;
  readonly env: PlainEnvironment;
  readonly image: TestJob['image'];
}

/** A command of the project that judges its sources: lint, types, format. Its exit code says the outcome. */
export type PlainCheck = Omit<PlainCommand, 'build'>;

/** What a runner may know of the project for its plain command. */
export interface PlainProject {
  /** Absolute path inside the sandbox. */
  readonly projectRoot: string;
  /** Text of the package.json in the directory of the command; '' without one. */
  readonly manifest: string;
}

/** The system's directories of programs, inside of a sandbox. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export type PlainEnvironment = Readonly<Record<string, string>> & { readonly PATH: string };

/** The variables that a person's shell has as well. `first` come before the system's directories of programs. */
export function plainEnvironment(first: readonly string[]): PlainEnvironment {
  return { PATH: [...first, SYSTEM_PATH].join(':'), HOME: '/tmp', LANG: 'C.UTF-8' };
}

/** A script that takes away what it built, which is of no use after the run and would be looked through. */
export function withoutBuilt(script: string, remove: string): string {
  return `${script}; code=$?; ${remove}; exit "$code"`;
}
