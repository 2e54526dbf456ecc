import { posix } from 'node:path';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { nodeJob } from '../node-job.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingInPackage } from '../missing-module.ts';
import { plainEnvironment, withoutBuilt } from '../plain-command.ts';
import type { Runner } from '../runner.ts';
import { detectCargoTest } from './detect.ts';
import { cratesDirectory, installedCrates, withInstalledCrates } from './installed-crates.ts';

const PROGRAM = 'cargo-run.mjs';
/** Integration tests as cargo finds them, and source modules that contain only tests. */
const PATTERNS = ['**/tests/*.rs', '**/tests/*/main.rs', '**/src/**/{tests,test}.rs', '**/src/**/{*_test,*_tests}.rs'];
/** Sources. They may contain unit tests. */
const SOURCES = ['**/src/**/*.rs'];
const NEVER = ['**/target/**', '**/.*/**', '**/node_modules/**', '**/vendor/**'];
/** Flags for how the project is built. Flags that select tests or change the output are left out. */
const SETTINGS = /^(?:--features=.+|-F.+|--all-features|--no-default-features|--release|-r|--profile=.+|--config=.+)$/;

/** The name of the tested module: `mul` for `src/mul/tests.rs`. */
function stemOf(path: string): string {
  const stem = posix.basename(path, '.rs').replace(/_?tests?$/, '');
  const directory = posix.basename(posix.dirname(path));
  return stem !== '' ? stem : directory === 'src' ? 'new' : directory;
}

export const cargoTest: Runner = {
  name: 'cargo-test',
  title: 'cargo test',
  program: PROGRAM,
  builds: true,
  detect: detectCargoTest,

  collects: (path) => matchesAnyGlob(path, PATTERNS) && !matchesAnyGlob(path, NEVER),
  collectsInside: (path) => matchesAnyGlob(path, SOURCES) && !matchesAnyGlob(path, NEVER),
  namedBy: () => [],
  pattern: 'tests/*.rs, tests/*/main.rs, and in src/ tests.rs, *_test.rs and *_tests.rs',
  cleansUp: 'with a value of its own instead of a static, or a reset at its start',
  fileName: (stem) => `tests/${stem}.rs`,
  whyNotRun: (path) =>
    matchesAnyGlob(path, ['**/src/**'])
      ? `${path} is a part of the crate only where a source says \`#[cfg(test)] mod ${posix.basename(path, '.rs')};\`: add that line to the source, which is open for tests. Or write the test as ${posix.join(path.slice(0, path.lastIndexOf('src/')), 'tests', `${stemOf(path)}.rs`)}, which uses the crate by its name`
      : null,
  loadsFirst: ['Cargo.toml', 'Cargo.lock', 'build.rs', '.cargo/config.toml', '.cargo/config', 'rust-toolchain*'],

  maintains: (path) => posix.basename(path) === 'Cargo.lock',

  plan(input) {
    const args = input.command.args.filter((arg) => SETTINGS.test(arg));
    const directory = cratesDirectory(input.projectRoot);
    const crates = { directory, settings: installedCrates(directory) };
    return nodeJob(input, PROGRAM, { options: { args, crates } });
  },

  plain: (command, { projectRoot }) => {
    const words = shellWords(['cargo', 'test', ...command.args.filter((arg) => SETTINGS.test(arg))]);
    const script = withInstalledCrates(withoutBuilt(words, 'rm -rf target/debug target/release'), projectRoot);
    return { words, script, build: null, env: plainEnvironment([]), image: 'node' };
  },

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, ({ message, place }) => {
      if (place !== 'project') return null;
      const name = /(?:cannot find|unresolved import|no \w+ named|could not find).*?`([\w:]+)`/.exec(message)?.[1];
      return missingInPackage(plan.projectRoot, name);
    }),
};
