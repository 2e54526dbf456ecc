import type { TestCommand } from '../../contracts/session/session-protocol.ts';

/** Arguments that name files, directories or globs, as against flags. A flag whose value is a word of its own is written with `=` in configuration. */
export function namedArguments({ args }: Pick<TestCommand, 'args'>): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

export function flagArguments({ args }: Pick<TestCommand, 'args'>): readonly string[] {
  return args.filter((arg) => arg.startsWith('-'));
}
