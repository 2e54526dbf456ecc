import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import type { TestRun } from '../../../src/contracts/test-run.ts';
import { vitest } from '../../../src/kernel/runners/vitest/runner.ts';
import { judgeOnHost } from './judge-on-host.ts';

const PROGRAM = 'tool-plugins/test-tool/runtime/vitest-run.ts';

export interface VitestRunOptions {
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** Without its packages, vitest among them. */
  readonly bare?: boolean;
}

/** Plays a test sandbox on the host with a real vitest and our own program, paths of the container replaced by temporary ones. */
export function runVitestOnHost(files: Readonly<Record<string, string>>, options: VitestRunOptions = {}): TestRun {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-vitest-')));
  try {
    const project = join(base, 'project');
    for (const [name, content] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), content);
    }
    if (options.bare !== true) symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
    const cwd = options.cwd ?? '';
    const command = { runner: 'vitest' as const, cwd, args: [...(options.args ?? [])] };
    const below = cwd === '' ? '' : `${cwd}/`;
    const wanted = Object.keys(files)
      .filter((name) => name.startsWith(below) && vitest.collects(name.slice(below.length), command))
      .sort();
    const plan = { command, projectRoot: project, files: wanted, canary: { prefix: 'c4n4ry', reportName: 'report' } };
    const job = vitest.plan(plan);
    const program = join(base, 'vitest-run.mjs');
    buildSync({
      entryPoints: [PROGRAM],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // As bin/bundle.mjs does for every program.
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    });
    const here = (text: string) =>
      text
        .replaceAll('/fluffy/job/', `${base}/job/`)
        .replaceAll('/fluffy/out/', `${base}/`)
        .replaceAll('/opt/fluffy/tools/test-tool/vitest-run.mjs', program);
    mkdirSync(join(base, 'job'));
    for (const each of job.files) writeFileSync(join(base, 'job', each.name), here(each.content));
    return judgeOnHost(vitest, plan, base, {
      program: process.execPath,
      args: job.argv.slice(1).map(here),
      cwd: join(project, job.cwd),
      // Nothing of the vitest that runs this test reaches the one that is tested.
      env: { PATH: process.env['PATH'], HOME: base, TMPDIR: base, CI: '1', ...job.env },
      deadlineMs: 30_000,
    });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
