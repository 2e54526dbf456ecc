import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import type { TestRun } from '../../../src/contracts/test-run.ts';
import { nodeTest } from '../../../src/kernel/runners/node-test/runner.ts';
import { judgeOnHost } from './judge-on-host.ts';

const REPORTER = 'tool-plugins/test-tool/runtime/node-test-reporter.ts';

export interface HostRunOptions {
  readonly files: Readonly<Record<string, string>>;
  /** Test files to ask for; default: what the adapter collects of `files`. */
  readonly run?: readonly string[];
  readonly args?: readonly string[];
}

/**
 * Plays a test sandbox on the host with the real runner: the same plan, the same reporter, paths of the container replaced by temporary ones.
 * For the adapter's own tests; what a sandbox adds is tested with real containers.
 */
export function runOnHost(options: HostRunOptions): TestRun {
  const base = mkdtempSync(join(tmpdir(), 'fluffy-node-test-'));
  try {
    const project = join(base, 'project');
    for (const [name, content] of Object.entries(options.files)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), content);
    }
    const command = { runner: 'node-test' as const, cwd: '', args: [...(options.args ?? [])] };
    const files = options.run ?? Object.keys(options.files).filter((name) => nodeTest.collects(name, command));
    const plan = { command, projectRoot: project, files, canary: { prefix: 'c4n4ry', reportName: 'report' } };
    const job = nodeTest.plan(plan);
    for (const each of job.files) {
      mkdirSync(join(base, 'job'), { recursive: true });
      writeFileSync(join(base, 'job', each.name), each.content);
    }
    const reporter = join(base, 'reporter.mjs');
    buildSync({ entryPoints: [REPORTER], outfile: reporter, bundle: true, platform: 'node', format: 'esm' });
    const argv = job.argv
      .slice(1)
      .map((arg) =>
        arg
          .replace('/fluffy/job/', `${base}/job/`)
          .replace('/fluffy/out/', `${base}/`)
          .replace('/opt/fluffy/tools/test-tool/node-test-reporter.mjs', reporter),
      );
    return judgeOnHost(nodeTest, plan, base, {
      program: process.execPath,
      args: argv,
      cwd: project,
      env: { PATH: process.env['PATH'], CI: '1' },
      deadlineMs: 15_000,
    });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
