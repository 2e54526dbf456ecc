import type { TestCommand } from '../../contracts/session/session-protocol.ts';

const CONFIGURED = '--config.';

/**
 * Returns the arguments that are not flags: files, directories and globs. The configuration writes a flag and its value
 * as one word, with `=`.
 */
export function namedArguments({ args }: Pick<TestCommand, 'args'>): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

/** Returns the flags of the runner itself. */
export function flagArguments({ args }: Pick<TestCommand, 'args'>): readonly string[] {
  return args.filter((arg) => arg.startsWith('-') && !isConfigured(arg));
}

/**
 * Returns an argument which records that the project's configuration loads this file or module before the tests. The
 * argument is not passed to the runner.
 */
export function configuredArgument(key: string, path: string): string {
  return `${CONFIGURED}${key}=${path}`;
}

export function isConfigured(arg: string): boolean {
  return arg.startsWith(CONFIGURED);
}
