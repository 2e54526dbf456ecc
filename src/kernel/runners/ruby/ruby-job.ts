import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestJob } from '../../../contracts/ports/sandboxes.ts';
import { namedArguments } from '../command-arguments.ts';
import { hostProgramJob } from '../host-program-job.ts';
import type { PlanInput } from '../runner.ts';

/** Directories in which no Ruby runner looks for tests. */
export const NEVER_TESTS = ['**/{vendor,node_modules,pkg,tmp}/**', '**/.*/**', '**/{test,spec}_helper.rb'];

/** Files that Ruby's tools load before any test. Bundler reads all but the last; rake reads the Rakefile. */
export const LOADS_FIRST = [
  ...['Gemfile', 'Gemfile.lock', 'gems.rb', 'gems.locked', '*.gemspec', '.bundle/', 'vendor/bundle/', 'Rakefile'],
];

/** Returns whether a path is a lock file. Bundler updates it when it resolves gems. */
export function isLockFile(path: string): boolean {
  return /(?:^|\/)(?:Gemfile\.lock|gems\.locked)$/.test(path);
}

/** Returns the directories of `-I` in the command and the usual ones. Ruby searches them first. */
export function librariesOf(command: TestCommand, usual: readonly string[]): readonly string[] {
  const named = command.args.filter((arg) => arg.startsWith('-I')).flatMap((arg) => arg.slice(2).split(':'));
  return [...new Set([...named, ...usual])].filter((each) => each !== '');
}

/** Returns the globs that the project defines. They replace the usual names. */
export function globsOf(command: TestCommand): readonly string[] {
  return namedArguments(command).map((arg) => arg.replace(/^\.\//, ''));
}

/** Returns the job that runs one of Fluffy's Ruby programs with the Ruby of the host's toolchain. */
export function rubyJob(input: PlanInput, program: string, options: Readonly<Record<string, unknown>>): TestJob {
  return hostProgramJob(input, { interpreter: 'ruby', language: 'Ruby', program }, options);
}
