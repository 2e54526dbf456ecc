import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { namedArguments } from '../command-arguments.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { hostProgramJob } from '../host-program-job.ts';
import { plainEnvironment } from '../plain-command.ts';
import type { Runner } from '../runner.ts';
import { detectPhpunit } from './detect.ts';
import { missingPhpName } from './missing-php-name.ts';
import { SETTINGS } from './settings.ts';

const PROGRAM = 'phpunit-run.php';
const PATTERNS = ['**/*Test.php'];
const NEVER = ['**/{vendor,node_modules,var,cache}/**', '**/.*/**'];

/** Files, directories and globs of the command, as globs. */
function namedBy(command: TestCommand): readonly string[] {
  return namedArguments(command)
    .map((arg) => arg.replace(/^\.\/|\/$/g, ''))
    .map((arg) => (arg.endsWith('.php') ? arg : `${arg}/**/*Test.php`));
}

function option(command: TestCommand, name: string): string {
  const start = `--${name}=`;
  return command.args.find((arg) => arg.startsWith(start))?.slice(start.length) ?? '';
}

export const phpunit: Runner = {
  name: 'phpunit',
  title: 'PHPUnit',
  program: PROGRAM,
  separates: true,
  detect: detectPhpunit,

  collects: (path, command) => matchesPatterns(path, { own: namedBy(command), usual: PATTERNS, never: NEVER }),
  namedBy,
  pattern: '*Test.php',
  cleansUp: 'in tearDown',
  fileName: (stem) => `${className(stem)}Test.php`,
  loadsFirst: [
    ...SETTINGS,
    'composer.json',
    'composer.lock',
    'vendor/',
    '.phpunit.*',
    '{test,tests,Tests}/bootstrap.php',
    'bootstrap.php',
    'php.ini',
    '.user.ini',
  ],
  maintains: (path) => /(?:^|\/)\.phpunit\.(?:result\.)?cache(?:\/|$)/.test(path),

  plan(input) {
    const { command } = input;
    const options = {
      configuration: option(command, 'configuration'),
      bootstrap: option(command, 'bootstrap'),
      vendor: 'vendor',
    };
    return hostProgramJob(input, { interpreter: 'php', language: 'PHP', program: PROGRAM }, options);
  },

  plain(command) {
    const args = shellWords(command.args.filter((arg) => arg.startsWith('--')));
    const directories = command.args.filter((arg) => !/^-|[*?{[]/.test(arg));
    const only = directories.length === 1 ? shellWords(directories) : '';
    return {
      words: 'vendor/bin/phpunit',
      script: `if [ -f vendor/bin/phpunit ]; then run='php vendor/bin/phpunit'; else run=phpunit; fi; set -- ${args} ${only}; if [ $# -eq 0 ] && [ ! -f phpunit.xml ] && [ ! -f phpunit.dist.xml ] && [ ! -f phpunit.xml.dist ]; then for each in tests test Tests .; do [ -d "$each" ] && set -- "$each" && break; done; fi; $run "$@"`,
      build: null,
      env: plainEnvironment([]),
      image: 'node',
    };
  },

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPhpName(plan, line)),
};

/** The name of a PHP class. The file has the same name. */
function className(stem: string): string {
  return stem
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
