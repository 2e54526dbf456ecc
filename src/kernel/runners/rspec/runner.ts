import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { missingRubyName } from '../ruby/missing-ruby-name.ts';
import { plainRuby } from '../ruby/plain-ruby.ts';
import { globsOf, isLockFile, librariesOf, LOADS_FIRST, NEVER_TESTS, rubyJob } from '../ruby/ruby-job.ts';
import type { Runner } from '../runner.ts';
import { detectRspec } from './detect.ts';

const PROGRAM = 'rspec-run.rb';
const PATTERNS = ['**/*_spec.rb'];

export const rspec: Runner = {
  name: 'rspec',
  title: 'RSpec',
  program: PROGRAM,
  separates: true,
  detect: detectRspec,

  collects: (path, command) => matchesPatterns(path, { own: globsOf(command), usual: PATTERNS, never: NEVER_TESTS }),
  namedBy: globsOf,
  pattern: 'spec/**/*_spec.rb',
  cleansUp: 'in an after hook',
  fileName: (stem) => `${stem}_spec.rb`,
  loadsFirst: [...LOADS_FIRST, '.rspec', '.rspec-local', 'spec_helper.rb', 'rails_helper.rb'],
  maintains: isLockFile,

  plan: (input) => rubyJob(input, PROGRAM, { libs: librariesOf(input.command, ['lib', 'spec']) }),

  plain(command) {
    const named = globsOf(command);
    const libraries = librariesOf(command, []).map((each) => `-I${each}`);
    const pattern = named.length === 0 ? [] : ['--pattern', named.join(',')];
    const words = shellWords(['rspec', ...libraries, ...pattern]);
    return plainRuby(words, `$run ${words}`);
  },

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingRubyName(plan, line)),
};
