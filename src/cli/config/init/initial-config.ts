import { dirname } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import { RUNNERS, SUPPORTED_NAMES, UNSUPPORTED } from '../../../kernel/runners/registry.ts';
import type { BuildOutput } from './build-output.ts';
import type { FoundTests } from './detect-test-command.ts';

/** The file that `fluffy config init` writes for a project, and its report. */
export interface InitialConfig {
  readonly text: string;
  /** Complete lines: what was found, why, and what was not. */
  readonly report: string;
}

/** The first version of a project's configuration, from the detected runners, strongest first. Pure. */
export function initialConfig(
  file: string,
  { nearest, others: packages }: FoundTests,
  built: BuildOutput | null,
): InitialConfig {
  const [first, ...others] = nearest;
  if (first === undefined) {
    const unsupported = UNSUPPORTED.map(({ title }) => title).join(', ');
    return {
      text: TEMPLATE,
      report:
        `Wrote ${file} without a test runner: none was found.\n` +
        `Looked for ${RUNNERS.map(({ title }) => title).join(', ')}; and for runners that cannot be judged yet: ${unsupported}.\n` +
        `If the project has a command for its tests, such as make test, it is not taken from the project.\n` +
        ownCommandAdvice(file, '[make, test]'),
    };
  }
  const also = others.map(
    ({ title, because, supported }) =>
      `Also found: ${title}, ${because}${supported ? '' : ' (cannot be judged yet)'}.\n`,
  );
  if (!first.supported) {
    const report =
      `Wrote ${file} without a test runner: ${first.title} was found (${first.because}), and its results cannot be judged yet.\n` +
      `Results can be judged from ${SUPPORTED_NAMES}.\n` +
      unsupportedAdvice(file, first.command.runner);
    return { text: TEMPLATE, report: report + also.join('') };
  }
  if (built !== null) {
    const script = `PATH=$PWD/node_modules/.bin:$PATH; ${built.script}`;
    const report =
      `Wrote ${file} without a test runner: ${first.title} was found (${first.because}), and it runs built files (${built.path}), which git ignores.\n` +
      `A test that is written there could not be committed, and one that is written elsewhere would not be found. Tests that run from their sources are supported.\n` +
      ownCommandAdvice(file, `[sh, -c, ${JSON.stringify(script)}]`);
    return { text: TEMPLATE, report: report + also.join('') };
  }
  if (packages.length > 0) {
    const named = [first, ...packages].map(
      ({ command: { runner, cwd }, because }) => `  ${cwd === '' ? 'the root' : cwd}: ${runner}, since ${because}\n`,
    );
    return {
      // An entry there would replace all of them.
      text: SEVERAL,
      report: `Wrote ${file} without a test runner, since several packages have one, and each path belongs to the nearest:\n${named.join('')}${also.join('')}`,
    };
  }
  const { runner, cwd, args } = first.command;
  return {
    // The reason may contain a file's name, and a line break in it would end the comment.
    text: `# How the tests of this project run: ${runner}, since ${escapeTerminal(first.because)}.\ntest:\n  runner: ${runner}\n  cwd: ${JSON.stringify(cwd)}\n  args: ${JSON.stringify(args)}\n`,
    report: `Wrote ${file}: tests run with ${runner}, since ${first.because}.\n${also.join('')}`,
  };
}

/** The same if `test.commands` of the user's configuration has a command for the project. Pure. */
export function ownCommandConfig(file: string, { args, cwd, report }: TestCommand): InitialConfig {
  const where = cwd === '' ? '' : ` in ${cwd}`;
  const judged = report === undefined ? 'its exit code' : `its report (${report})`;
  return {
    text: TEMPLATE,
    report:
      `Wrote ${file} without a test runner: test.commands in your own configuration has a command for this project, and that one counts.\n` +
      `It is ${shellWords(args)}${where}, judged by ${judged}. A human decides about each change.\n` +
      `To use a runner that fluffy finds by itself, take the command out of test.commands, and run fluffy config init again without ${file}.\n`,
  };
}

function ownCommandAdvice(file: string, command: string): string {
  return (
    `To use its command instead, put this into your own configuration (fluffy doctor names the file). A human then decides about each change:\n` +
    `  test:\n    commands:\n      - project: ${JSON.stringify(dirname(dirname(file)))}\n        command: ${command}\n` +
    `Or work without proof: fluffy --mode explore\n`
  );
}

/** JavaScript tests are started by a script. */
function unsupportedAdvice(file: string, name: string): string {
  const { command = ['npm', 'test'], junit, needs } = UNSUPPORTED.find((each) => each.name === name) ?? {};
  const report = junit === undefined ? '' : `\n        report: junit\n        report_file: ${junit}`;
  const image =
    needs === undefined ? '' : `Such a command runs in an image of your own (fluffy image use) that has ${needs}.\n`;
  return image + ownCommandAdvice(file, `[${command.join(', ')}]${report}`);
}

const SEVERAL = `# Several packages have tests. To use one runner for all of the project, name it here.\n# test:\n#   runner: ${RUNNERS[0]?.name ?? ''}\n#   cwd: ""\n{}\n`;

const TEMPLATE = `# How the tests of this project run. Runners: ${SUPPORTED_NAMES}\n# test:\n#   runner: ${RUNNERS[0]?.name ?? ''}\n{}\n`;
