import { assertNever } from '../../../lib/assert-never.ts';
import { diskFull } from '../../../lib/disk-full.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { PlainCommand } from '../../runners/plain-command.ts';
import { withVirtualenv } from '../../runners/python/virtualenvs.ts';
import { readableFiles } from '../../access/readable-files.ts';
import type { SessionContext } from '../../services.ts';
import { TEST_TIMEOUT_MS } from '../run/run-tests.ts';
import { runNetwork, withNetwork } from '../test-network.ts';
import { inProjectImage, withToolchains } from '../run/with-toolchains.ts';

const MAX_REPORT_BYTES = 1024;
const SHOWN_LINES = 12;

export type PlainResult =
  | { readonly kind: 'passed' }
  /** It ended with an exit code other than 0, or by a signal (`code` is null). */
  | { readonly kind: 'failed'; readonly code: number | null; readonly why: string }
  | { readonly kind: 'not-run'; readonly why: string; readonly timedOut?: true };

/**
 * Runs the project's own test command on a view of the untouched project with `overrides`. Only its exit code counts.
 */
export async function runPlain(
  { services, session, signal }: SessionContext,
  { script, env, image }: Pick<PlainCommand, 'script' | 'env' | 'image'>,
  command: TestCommand,
  overrides: readonly ViewEntry[],
  maxMs: number = Infinity,
): Promise<PlainResult> {
  const { test_network: allowed } = session.snapshot;
  const network = runNetwork(services.options, allowed);
  const job = inProjectImage(
    {
      argv: ['/bin/sh', '-c', withVirtualenv(script, env)],
      env: withToolchains(env, services.options.toolchains),
      cwd: command.cwd,
      reportName: 'none',
      image,
    },
    services.options.project_image,
  );
  const scratch = await services.workspaces.scratch();
  try {
    const outcome = await scratch.workspace.overlay(
      (slot) =>
        services.sandboxes.test({
          session: scratch.id,
          slot,
          job: withNetwork(job, services.options, allowed),
          deadlineMs: Math.min(command.timeout_ms ?? TEST_TIMEOUT_MS, maxMs),
          maxReportBytes: MAX_REPORT_BYTES,
          ...(network === undefined ? {} : { network }),
          signal,
        }),
      { visible: readableFiles(services, session), overrides },
    );
    if (outcome.kind === 'moved') return { kind: 'not-run', why: 'the project kept changing while it ran' };
    if (outcome.kind === 'refused') return { kind: 'not-run', why: outcome.reason };
    await outcome.discard();
    return resultOf(outcome.value);
  } finally {
    await scratch.close();
  }
}

type Ran = Awaited<ReturnType<SessionContext['services']['sandboxes']['test']>>;

function resultOf(value: Ran): PlainResult {
  switch (value.kind) {
    case 'ran':
      return afterRun(value.result);
    case 'timed-out':
      return notDone(value.afterMs);
    case 'out-of-memory':
      return { kind: 'not-run', why: 'it used more memory than the sandbox has' };
    case 'cancelled':
      return { kind: 'not-run', why: 'it was interrupted' };
    case 'disk-full':
      throw diskFull('the state directory');
    case 'failed':
      return { kind: 'not-run', why: value.reason };
    default:
      return assertNever(value);
  }
}

function afterRun({ exit, output }: Extract<Ran, { kind: 'ran' }>['result']): PlainResult {
  switch (exit.kind) {
    case 'exited':
      return exit.code === 0
        ? { kind: 'passed' }
        : { kind: 'failed', code: exit.code, why: `it ends with exit code ${exit.code}:\n${lastLines(output)}` };
    case 'signalled':
      return { kind: 'failed', code: null, why: `it is ended by ${exit.signal}` };
    case 'timed-out':
      return notDone(exit.after_ms);
    case 'out-of-memory':
      return { kind: 'not-run', why: 'it used more memory than the sandbox has' };
    default:
      return assertNever(exit);
  }
}

function notDone(afterMs: number): PlainResult {
  return { kind: 'not-run', why: `it did not end within ${Math.round(afterMs / 1000)} s`, timedOut: true };
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-SHOWN_LINES).join('\n');
}
