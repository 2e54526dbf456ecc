import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { nodeJob } from '../node-job.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingBeside } from '../missing-module.ts';
import { plainEnvironment } from '../plain-command.ts';
import type { Runner } from '../runner.ts';
import { detectGoTest } from './detect.ts';
import { modulesDirectory, withInstalledModules } from './installed-modules.ts';
import { GO_PACKAGES, GO_WRITABLE_CACHE } from './plain-go.ts';

const PROGRAM = 'go-run.mjs';
/** Directories that Go excludes from `./...`. */
const NEVER = ['**/vendor/**', '**/testdata/**', '**/node_modules/**', '**/.*/**', '**/_*/**', '**/{.,_}*'];
/** Flags for how the project is built. Flags that select tests or change the output are left out. */
const SETTINGS = /^-{1,2}(?:tags|ldflags|gcflags|mod|modfile|short|timeout)(?:=|$)/;

export const goTest: Runner = {
  name: 'go-test',
  title: 'go test',
  program: PROGRAM,
  builds: true,
  detect: detectGoTest,

  collects: (path) => matchesAnyGlob(path, ['**/*_test.go']) && !matchesAnyGlob(path, NEVER),
  namedBy: () => [],
  pattern: '*_test.go',
  cleansUp: 'in t.Cleanup',
  fileName: (stem) => `${stem}_test.go`,
  loadsFirst: ['go.mod', 'go.sum', 'go.work', 'go.work.sum', 'vendor/modules.txt'],

  plan(input) {
    const args = input.command.args.filter((arg) => SETTINGS.test(arg));
    return nodeJob(input, PROGRAM, { options: { args, modules: modulesDirectory(input.projectRoot) } });
  },

  plain: (command, { projectRoot }) => {
    const go = ['go', 'test', ...command.args.filter((arg) => SETTINGS.test(arg))];
    return {
      words: shellWords([...go, './...']),
      script: withInstalledModules(`${GO_WRITABLE_CACHE} && ${shellWords(go)} ${GO_PACKAGES}`, projectRoot),
      build: null,
      env: plainEnvironment([]),
      image: 'node',
    };
  },

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, ({ index, message, place }) => {
      if (place !== 'project') return null;
      // Go builds a whole package, so the missing name may belong to any file of the package.
      return missingBeside(plan, index, /: undefined: ([\w.]+)/.exec(message)?.[1]);
    }),
};
