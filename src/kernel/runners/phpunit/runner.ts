import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport, runDescription } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { plainEnvironment, shellWords } from '../plain-command.ts';
import { programPath } from '../runner.ts';
import type { Runner } from '../runner.ts';
import { detectPhpunit } from './detect.ts';
import { missingPhpName } from './missing-php-name.ts';
import { SETTINGS } from './settings.ts';

const PROGRAM = 'phpunit-run.php';
const PATTERNS = ['**/*Test.php'];
const NEVER = ['**/{vendor,node_modules,var,cache}/**', '**/.*/**'];
const NO_PHP =
  'command -v php >/dev/null || { echo "fluffy: this machine has no PHP that sandboxes can use (docs/test-runners.md, Toolchains)" >&2; exit 127; }';

/** Files, directories and globs of the command, as globs. */
function namedBy(command: TestCommand): readonly string[] {
  return command.args
    .filter((arg) => !arg.startsWith('-'))
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

  collects(path, command) {
    const named = namedBy(command);
    return matchesAnyGlob(path, named.length > 0 ? named : PATTERNS) && !matchesAnyGlob(path, NEVER);
  },
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
    return {
      argv: ['/bin/sh', '-c', `${NO_PHP}; exec php "$0"`, programPath(PROGRAM)],
      env: {},
      cwd: command.cwd,
      input: runDescription(input, { options }),
      reportName: input.canary.reportName,
      image: 'node',
    };
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

  /** The canaries fail in every run, so 1 is the only code that a true run ends with. */
  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPhpName(plan, line)),
};

/** As classes of PHP are called: the file's name is that of its class. */
function className(stem: string): string {
  return stem
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
