import { posix } from 'node:path';
import type {
  JobFile,
  SandboxFailure,
  TestJob,
  TestOperation,
  TestSandboxResult,
} from '../../contracts/ports/sandboxes.ts';
import { INPUT_FILE, JOB_FILE } from '../../contracts/sandbox/test-job.ts';
import type { ProcessExit } from '../../contracts/sandbox/test-run.ts';
import { jobScript } from './job-script.ts';
import { processExit } from './process-exit.ts';
import { describeFailure } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';
import { watchCounts } from './watch-counts.ts';
import { OperationWatch, failureOf } from './watch-operation.ts';

export type TestRunOutcome = { readonly kind: 'ran'; readonly result: TestSandboxResult } | SandboxFailure;

const OUTPUT_BOUNDS = { headBytes: 64 * 1024, tailBytes: 192 * 1024 };
const OUT_ENTRIES = 1_000;
/** The space for a runner's scratch files beside the report. */
const OUT_BYTES_BESIDE_REPORT = 64 * 1024 * 1024;

/** The files of a test run: its command and the standard input of that command. */
export function jobFiles(job: TestJob, projectRoot: string): readonly JobFile[] {
  const [program = '', ...rest] = job.argv;
  const description = { argv: [program, ...rest] as const, env: job.env, cwd: posix.join(projectRoot, job.cwd) };
  const input = job.input === undefined ? [] : [{ name: INPUT_FILE, content: job.input }];
  return [{ name: JOB_FILE, content: jobScript(description, input.length > 0) }, ...input];
}

/** Waits for a running test sandbox, ends it if necessary, and reads its results. The caller closes it. */
export async function runTest(
  services: SandboxServices,
  sandbox: Sandbox,
  operation: TestOperation,
  watching: (watch: OperationWatch) => void,
): Promise<TestRunOutcome> {
  const startedMs = services.clock.monotonicMs();
  const watch = new OperationWatch(services, sandbox, {
    deadlineMs: operation.deadlineMs,
    signal: operation.signal,
    outBounds: { maxBytes: operation.maxReportBytes + OUT_BYTES_BESIDE_REPORT, maxEntries: OUT_ENTRIES },
  });
  watching(watch);
  const over = new AbortController();
  const { progress } = operation;
  if (progress !== undefined) {
    const onCounts = (done: number, failed: number): void => progress.onCounts({ done, failed });
    void watchCounts(services, sandbox.id, { name: progress.name, onCounts }, over.signal);
  }
  const interruption = await Promise.race([sandbox.ended.then(() => null), watch.interrupted]);
  watch.stop();
  over.abort();
  const durationMs = services.clock.monotonicMs() - startedMs;

  let exit: ProcessExit;
  if (interruption === null || interruption.kind === 'timed-out') {
    if (interruption !== null) {
      sandbox.fail(`the tests were not done within ${operation.deadlineMs} ms`);
      await sandbox.kill();
    }
    const state = await sandbox.ended;
    if (interruption !== null) exit = { kind: 'timed-out', after_ms: operation.deadlineMs };
    else if (operation.signal.aborted) return broken({ kind: 'cancelled' });
    else if (state === null) return broken({ kind: 'failed', reason: 'the engine lost sight of it' });
    else if ((await services.isDiskFull?.()) === true) return broken({ kind: 'disk-full' });
    else exit = processExit(state);
  } else {
    return broken(failureOf(interruption, operation.deadlineMs));
  }

  const { text } = await sandbox.output(OUTPUT_BOUNDS);
  const report = await services.directories.readReport(sandbox.id, operation.job.reportName, operation.maxReportBytes);
  return {
    kind: 'ran',
    result: {
      sandbox: sandbox.id,
      exit,
      report: report.kind === 'read' ? report.bytes : null,
      reportTruncated: report.kind === 'read' && report.truncated,
      output: text,
      durationMs,
    },
  };

  function broken(failure: SandboxFailure): TestRunOutcome {
    sandbox.fail(describeFailure(failure));
    return failure;
  }
}
