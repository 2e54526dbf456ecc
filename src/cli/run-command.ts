import type { Writable } from 'node:stream';
import { EXIT } from '../contracts/exit-codes.ts';
import type { ExitCode } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { userDirs } from '../contracts/host-layout.ts';
import { jsonLine } from '../lib/json-line.ts';
import type { CliServices } from './command-line/cli-command.ts';
import type { CommandLine } from './command-line/read-command-line.ts';
import { unknownVariables } from './config/known-variables.ts';
import { finishedWithout, summaryOf } from './headless/finished.ts';
import { describeError } from './headless/describe-error.ts';
import { ProcessOutput } from './output/process-output.ts';
import { checkUserDirectories, userDirectoryError } from './user-directories.ts';

/** The process of a command line. */
export interface CommandProcess extends Omit<CliServices, 'output'> {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Runs one command line. Resolves to the exit code after all output was written, or could not be. */
export async function runCommand(
  argv: readonly string[],
  version: string,
  { stdout, stderr, ...services }: CommandProcess,
): Promise<ExitCode> {
  const { env } = services;
  const output = new ProcessOutput(stdout, stderr);
  for (const name of unknownVariables(env)) output.stderr(`warning: ${name} is not a variable that fluffy knows\n`);
  let code: ExitCode;
  let readerMayLeave = false;
  try {
    const line = await commandLine(argv, version);
    readerMayLeave = line.kind === 'text' || line.readerMayLeave;
    if (line.kind === 'text') output.stdout(line.text);
    if (line.kind === 'command' && !line.withoutHome) await checkUserDirectories(env);
    code = line.kind === 'text' ? EXIT.done : await line.run({ ...services, output });
  } catch (error) {
    const reported = isUserFacing(error) ? error : (userDirectoryError(error, userDirs(env)) ?? unforeseen(error));
    code = reported.code === 'output_lost' && readerMayLeave && output.readerLeft ? EXIT.done : reported.exitCode;
    // A reader that has ended is reported once, below.
    if (reported.code !== 'output_lost') {
      output.stderr(describeError(reported, output.errorColumns));
      if (wantsEvents(argv)) output.stdout(jsonLine(finishedWithout(code, summaryOf(reported), Date.now(), null)));
    }
  }
  const lost = await output.finish();
  if (lost === null) return code;
  if (readerMayLeave && output.readerLeft) return code;
  output.stderr(describeError(lost, output.errorColumns));
  await output.finish();
  return code === EXIT.done ? lost.exitCode : code;
}

/** The version needs no parser; loading the parser is most of the start-up time. */
async function commandLine(argv: readonly string[], version: string): Promise<CommandLine> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) return { kind: 'text', text: `${version}\n` };
  const { readCommandLine } = await import('./command-line/read-command-line.ts');
  return readCommandLine(argv, version);
}

/** FluffyError, or the bootstrap's own error, which has the same fields but shares no code. */
function isUserFacing(error: unknown): error is FluffyError {
  if (error instanceof FluffyError) return true;
  return error instanceof Error && 'what' in error && 'why' in error && 'fix' in error && 'exitCode' in error;
}

/** A bug, or an unforeseen failure of the system: reported with its stack. */
function unforeseen(error: unknown): FluffyError {
  return new FluffyError({
    code: 'unforeseen',
    what: 'fluffy failed unexpectedly',
    why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    fix: 'Report it with the lines above; nothing was committed without a review, and the session can be resumed',
    exitCode: EXIT.failed,
    cause: error,
  });
}

/** Scripts that requested JSON always get a last line, even for an invalid command line. */
function wantsEvents(argv: readonly string[]): boolean {
  return argv.some(
    (arg, index) =>
      /^--output-format=(stream-)?json$/.test(arg) ||
      (arg === '--output-format' && /^(stream-)?json$/.test(argv[index + 1] ?? '')),
  );
}
