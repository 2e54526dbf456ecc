/** Names of the script of a test run and of the command's input, in the out directory. Both are removed before the command starts. */
export const JOB_FILE = 'job.sh';
export const INPUT_FILE = 'input';

/**
 * The command that a test sandbox becomes. `cwd` is absolute. `argv[0]` is looked up in the PATH of `env` unless it contains a slash. The container's
 * own environment is not passed on.
 */
export interface TestJobDescription {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
