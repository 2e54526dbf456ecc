import type { TestCommand } from '../../contracts/session/session-protocol.ts';

const CONFIGURED = '--config.';

/** Arguments that name files, directories or globs, as against flags. A flag whose value is a word of its own is written with `=` in configuration. */
export function namedArguments({ args }: Pick<TestCommand, 'args'>): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

/** Flags of the runner itself. */
export function flagArguments({ args }: Pick<TestCommand, 'args'>): readonly string[] {
  return args.filter((arg) => arg.startsWith('-') && !isConfigured(arg));
}

/** Says that the project's configuration makes its runner load this file or module before the tests; the runner itself is not given it. */
export function configuredArgument(key: string, path: string): string {
  return `${CONFIGURED}${key}=${path}`;
}

export function isConfigured(arg: string): boolean {
  return arg.startsWith(CONFIGURED);
}
