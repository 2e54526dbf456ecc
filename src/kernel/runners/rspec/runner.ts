import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { shellWords } from '../plain-command.ts';
import { missingRubyName } from '../ruby/missing-ruby-name.ts';
import { plainRuby } from '../ruby/plain-ruby.ts';
import { isLockFile, librariesOf, LOADS_FIRST, NEVER_TESTS, rubyJob } from '../ruby/ruby-job.ts';
import type { Runner } from '../runner.ts';
import { detectRspec } from './detect.ts';

const PROGRAM = 'rspec-run.rb';
const PATTERNS = ['**/*_spec.rb'];

/** Globs of the project's own, which take the place of the usual names. */
function namedBy(command: TestCommand): readonly string[] {
  return command.args.filter((arg) => !arg.startsWith('-')).map((arg) => arg.replace(/^\.\//, ''));
}

export const rspec: Runner = {
  name: 'rspec',
  title: 'RSpec',
  program: PROGRAM,
  separates: true,
  detect: detectRspec,

  collects(path, command) {
    const named = namedBy(command);
    return matchesAnyGlob(path, named.length > 0 ? named : PATTERNS) && !matchesAnyGlob(path, NEVER_TESTS);
  },
  namedBy,
  pattern: 'spec/**/*_spec.rb',
  cleansUp: 'in an after hook',
  fileName: (stem) => `${stem}_spec.rb`,
  loadsFirst: [...LOADS_FIRST, '.rspec', '.rspec-local', 'spec_helper.rb', 'rails_helper.rb'],
  maintains: isLockFile,

  plan: (input) => rubyJob(input, PROGRAM, { libs: librariesOf(input.command, ['lib', 'spec']) }),

  plain(command) {
    const named = namedBy(command);
    const libraries = librariesOf(command, []).map((each) => `-I${each}`);
    const pattern = named.length === 0 ? [] : ['--pattern', named.join(',')];
    const words = shellWords(['rspec', ...libraries, ...pattern]);
    return plainRuby(words, `$run ${words}`);
  },

  /** The canaries fail in every run, so 1 is the only code that a true run ends with. */
  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingRubyName(plan, line)),
};
