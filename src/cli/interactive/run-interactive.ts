import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { RunArguments } from '../arguments.ts';
import { runHeadless } from '../headless/run-headless.ts';
import { processSignals } from '../headless/signals.ts';

/** A session in a terminal. A task given on the command line runs and is reported line by line. */
export async function runInteractive(args: RunArguments, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  return runHeadless({
    args,
    env,
    output: { stdout: (text) => process.stdout.write(text), stderr: (text) => process.stderr.write(text) },
    stdin: process.stdin,
    signals: processSignals(),
    nowMs: Date.now,
  });
}
