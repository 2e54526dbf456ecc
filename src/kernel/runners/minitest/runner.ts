import { parseCaseReport } from '../case-report.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { missingRubyName } from '../ruby/missing-ruby-name.ts';
import { plainRuby } from '../ruby/plain-ruby.ts';
import { globsOf, isLockFile, librariesOf, LOADS_FIRST, NEVER_TESTS, rubyJob } from '../ruby/ruby-job.ts';
import type { Runner } from '../runner.ts';
import { detectMinitest } from './detect.ts';

const PROGRAM = 'minitest-run.rb';
/**
 * Names that Rails, the `minitest` command and `rake test` collect. They are limited to test directories and the root,
 * because a source in `lib` may have such a name.
 */
const PATTERNS = ['**/{test,tests}/**/{test_*,*_test}.rb', '{test_*,*_test}.rb'];

export const minitest: Runner = {
  name: 'minitest',
  title: 'minitest',
  program: PROGRAM,
  separates: true,
  detect: detectMinitest,

  collects: (path, command) => matchesPatterns(path, { own: globsOf(command), usual: PATTERNS, never: NEVER_TESTS }),
  namedBy: globsOf,
  pattern: 'test/**/*_test.rb, test/**/test_*.rb',
  cleansUp: 'in teardown',
  fileName: (stem) => `${stem}_test.rb`,
  loadsFirst: [...LOADS_FIRST, '.minitest*', '**/minitest/*_plugin.rb'],
  maintains: isLockFile,

  plan: (input) => rubyJob(input, PROGRAM, { libs: librariesOf(input.command, ['lib', 'test', '.']) }),

  plain(command) {
    const libraries = librariesOf(command, ['lib', 'test']).map((each) => `-I${each}`);
    const globs =
      globsOf(command).length > 0 ? globsOf(command) : ['{test,tests}/**/{test_*,*_test}.rb', '{test_*,*_test}.rb'];
    const load = `Dir.glob(ARGV).grep_v(/_helper\\.rb$/).sort.each { |each| require File.expand_path(each) }`;
    const quoted = globs.map((each) => `'${each.replaceAll("'", '')}'`).join(' ');
    const alone = `ruby ${libraries.join(' ')} -e '${load}' ${quoted}`;
    const script = `if grep -qsE 'TestTask' Rakefile; then $run rake test; else $run ${alone}; fi`;
    return plainRuby('rake test', script);
  },

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingRubyName(plan, line)),
};
