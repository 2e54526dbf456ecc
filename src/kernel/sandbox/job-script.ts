import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import { INPUT_FILE, JOB_FILE } from '../../contracts/sandbox/test-job.ts';
import type { TestJobDescription } from '../../contracts/sandbox/test-job.ts';

/** Exit codes of a shell if a program cannot be found or executed. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * The main program of a test sandbox, for a POSIX shell: it removes the job file and becomes the command by exec. So
 * the container's main process is the test runner itself, the tests can reach no process of fluffy, and the runner's
 * exit is the container's exit. A shell starts in a millisecond, Node in forty.
 *
 * The command gets its input as standard input, which survives exec and has no name that another process could open.
 *
 * @throws Error for what no command can contain: a NUL, or an `=` in the name of a variable
 */
export function jobScript(job: TestJobDescription, hasInput: boolean, directory: string = IN_L2.out): string {
  const { argv, env, cwd } = job;
  const [program] = argv;
  const [script, input] = [JOB_FILE, INPUT_FILE].map((name) => quoted(`${directory}/${name}`));
  const missing = `${program} was not found in ${env['PATH'] ?? 'an empty PATH'}`;
  return [
    'fail() {',
    '  echo "fluffy: the tests could not be started: $2" >&2',
    '  exit "$1"',
    '}',
    ...(hasInput ? [`exec < ${input}`] : []),
    `/bin/rm -f ${script} ${input} || exit ${NOT_EXECUTABLE}`,
    `cd -P ${quoted(cwd)} || exit ${NOT_EXECUTABLE}`,
    `PATH=${quoted(env['PATH'] ?? '')}`,
    program.includes('/')
      ? `[ -f ${quoted(program)} ] && [ -x ${quoted(program)} ] || fail ${NOT_EXECUTABLE} ${quoted(`${program} is not an executable file`)}`
      : `command -v ${quoted(program)} > /dev/null || fail ${NOT_FOUND} ${quoted(missing)}`,
    ['exec /usr/bin/env -i', ...Object.entries(env).map(variable), ...command(argv)].join(' '),
    '',
  ].join('\n');
}

/** env would take a program whose name has an `=` for a variable. */
function command(argv: readonly string[]): string[] {
  const words = argv.map(quoted);
  return argv[0]?.includes('=') === true ? ['/bin/sh', '-c', quoted('exec "$0" "$@"'), ...words] : words;
}

function variable([name, value]: readonly [string, string]): string {
  if (name === '' || name.includes('=')) throw new Error(`${JSON.stringify(name)} cannot be the name of a variable`);
  return quoted(`${name}=${value}`);
}

/** Quotes any text as one word of a shell. */
function quoted(text: string): string {
  if (text.includes('\0')) throw new Error(`a NUL cannot be handed over: ${JSON.stringify(text)}`);
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
