import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestJob } from '../../../contracts/ports/sandboxes.ts';
import { namedArguments } from '../command-arguments.ts';
import { hostProgramJob } from '../host-program-job.ts';
import type { PlanInput } from '../runner.ts';

/** Directories in which no Ruby test runner looks for tests. */
export const NEVER_TESTS = ['**/{vendor,node_modules,pkg,tmp}/**', '**/.*/**', '**/{test,spec}_helper.rb'];

/** What Ruby's tools load before any test: Bundler reads the first ones, and what they load; rake the last. */
export const LOADS_FIRST = [
  ...['Gemfile', 'Gemfile.lock', 'gems.rb', 'gems.locked', '*.gemspec', '.bundle/', 'vendor/bundle/', 'Rakefile'],
];

/** Bundler writes it as it finds the gems. */
export function isLockFile(path: string): boolean {
  return /(?:^|\/)(?:Gemfile\.lock|gems\.locked)$/.test(path);
}

/** Directories of the command's `-I`, which Ruby searches first. */
export function librariesOf(command: TestCommand, usual: readonly string[]): readonly string[] {
  const named = command.args.filter((arg) => arg.startsWith('-I')).flatMap((arg) => arg.slice(2).split(':'));
  return [...new Set([...named, ...usual])].filter((each) => each !== '');
}

/** Globs of the project's own, which take the place of the usual names. */
export function globsOf(command: TestCommand): readonly string[] {
  return namedArguments(command).map((arg) => arg.replace(/^\.\//, ''));
}

/** A run by one of our Ruby programs, with the Ruby of the host's toolchain. */
export function rubyJob(input: PlanInput, program: string, options: Readonly<Record<string, unknown>>): TestJob {
  return hostProgramJob(input, { interpreter: 'ruby', language: 'Ruby', program }, options);
}
