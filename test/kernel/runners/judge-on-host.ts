import { spawnSync } from 'node:child_process';
import type { SpawnSyncOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRun } from '../../../src/contracts/test-run.ts';
import { judgeRun } from '../../../src/kernel/runners/judge-run.ts';
import type { PlanInput, Runner } from '../../../src/kernel/runners/runner.ts';

export interface HostProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NonNullable<SpawnSyncOptions['env']>;
  readonly deadlineMs: number;
}

/** Runs what a plan has come to on the host, and judges the report that it left in `base` as that of a sandbox. */
export function judgeOnHost(adapter: Runner, plan: PlanInput, base: string, started: HostProcess): TestRun {
  const { program, args, cwd, env, deadlineMs } = started;
  const ran = spawnSync(program, [...args], { cwd, env, timeout: deadlineMs, killSignal: 'SIGKILL' });
  const report = join(base, plan.canary.reportName);
  return judgeRun(adapter, plan, {
    sandbox: 'x_host' as never,
    exit: ran.status === null ? { kind: 'timed-out', after_ms: deadlineMs } : { kind: 'exited', code: ran.status },
    report: existsSync(report) ? readFileSync(report) : null,
    reportTruncated: false,
    output: `${ran.stdout.toString()}${ran.stderr.toString()}`,
    durationMs: 1,
  });
}
