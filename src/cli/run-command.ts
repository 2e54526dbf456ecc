import { assertNever } from '../lib/assert-never.ts';
import { EXIT } from '../contracts/exit-codes.ts';
import type { ExitCode } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import type { Command } from './arguments.ts';
import { parseArguments } from './arguments.ts';
import { unknownVariables } from './config/known-variables.ts';
import { finishedWithout } from './headless/finished.ts';
import { describeError } from './headless/printer.ts';
import type { Output } from './headless/printer.ts';
import { processSignals } from './headless/signals.ts';

/** Runs one command line. Resolves to the exit code when everything written has gone out. */
export async function runCommand(argv: readonly string[], version: string): Promise<ExitCode> {
  const env = process.env;
  const output: Output = {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  };
  // A reader that went away (| head) is no crash.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  for (const name of unknownVariables(env)) output.stderr(`warning: ${name} is not a variable that fluffy knows\n`);
  let code: ExitCode;
  try {
    code = await dispatch(await parseArguments(argv, version), env, output);
  } catch (error) {
    const told = isUserFacing(error) ? error : unforeseen(error);
    output.stderr(describeError(told));
    if (wantsEvents(argv))
      output.stdout(`${JSON.stringify(finishedWithout(told.exitCode, told.what, Date.now(), null))}\n`);
    code = told.exitCode;
  }
  await drained(process.stdout);
  await drained(process.stderr);
  return code;
}

async function dispatch(command: Command, env: NodeJS.ProcessEnv, output: Output): Promise<ExitCode> {
  switch (command.kind) {
    case 'shown':
      return EXIT.done;
    case 'run': {
      if (command.run.print || !process.stdin.isTTY || !process.stdout.isTTY) {
        const { runHeadless } = await import('./headless/run-headless.ts');
        return runHeadless({
          args: command.run,
          env,
          output,
          stdin: process.stdin,
          signals: processSignals(),
          nowMs: Date.now,
        });
      }
      const { runInteractive } = await import('./interactive/run-interactive.ts');
      return runInteractive(command.run, env);
    }
    case 'demo': {
      const { demoCommand } = await import('./commands/demo.ts');
      return demoCommand(command, env, output);
    }
    case 'doctor': {
      const { doctorCommand } = await import('./commands/doctor.ts');
      return doctorCommand(command, env, output);
    }
    case 'review': {
      const { reviewCommand } = await import('./commands/review.ts');
      return reviewCommand(command, env, output);
    }
    case 'session': {
      const { sessionCommand } = await import('./commands/session.ts');
      return sessionCommand(command, env, output);
    }
    case 'audit': {
      const { auditCommand } = await import('./commands/audit.ts');
      return auditCommand(command, env, output);
    }
    case 'config': {
      const { configCommand } = await import('./commands/config.ts');
      return configCommand(command, env, output, process.stdin);
    }
    case 'policy': {
      const { policyCommand } = await import('./commands/policy.ts');
      return policyCommand(command.argv, env);
    }
    case 'image': {
      const { imageCommand } = await import('./commands/image.ts');
      return imageCommand(command, env, output);
    }
    default:
      return assertNever(command);
  }
}

/** FluffyError, or the bootstrap's own error, which has the same fields and shares no code with us. */
function isUserFacing(error: unknown): error is FluffyError {
  if (error instanceof FluffyError) return true;
  return error instanceof Error && 'what' in error && 'why' in error && 'fix' in error && 'exitCode' in error;
}

/** A bug, or the system failing us in a way nobody thought of: told with its stack, which a report needs. */
function unforeseen(error: unknown): FluffyError {
  return new FluffyError({
    code: 'unforeseen',
    what: 'fluffy failed in a way that it does not know',
    why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    fix: 'Report it with the lines above; nothing is committed that was not reviewed, and the session can be resumed',
    exitCode: EXIT.failed,
    cause: error,
  });
}

/** Scripts that asked for JSON get a last line whatever happens, even for a command line that could not be read. */
function wantsEvents(argv: readonly string[]): boolean {
  return argv.some(
    (arg, index) =>
      /^--output-format=(stream-)?json$/.test(arg) ||
      (arg === '--output-format' && /^(stream-)?json$/.test(argv[index + 1] ?? '')),
  );
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
