import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestRun } from '../../../src/contracts/test-run.ts';
import type { Runner } from '../../../src/kernel/runners/runner.ts';
import { judgeOnHost } from './judge-on-host.ts';

const RUNTIME = resolve('tool-plugins/test-tool/runtime');

export interface PythonRunOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** Interpreter to use in place of the image's; the adapter's own choice by default. */
  readonly python?: string;
  readonly deadlineMs?: number;
}

/** Plays a test sandbox on the host with the real interpreter and our own runner, paths of the container replaced by temporary ones. */
export function runPythonOnHost(adapter: Runner, options: PythonRunOptions): TestRun {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-python-')));
  try {
    const project = join(base, 'project');
    for (const [name, content] of Object.entries(options.files)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), content);
    }
    const cwd = options.cwd ?? '';
    const command = { runner: adapter.name, cwd, args: [...(options.args ?? [])] };
    const below = cwd === '' ? '' : `${cwd}/`;
    const files = Object.keys(options.files)
      .filter((name) => name.startsWith(below) && adapter.collects(name.slice(below.length), command))
      .sort();
    const plan = { command, projectRoot: project, files, canary: { prefix: 'c4n4ry', reportName: 'report' } };
    const job = adapter.plan(plan);
    const here = (text: string) =>
      text
        .replaceAll('/fluffy/job/', `${base}/job/`)
        .replaceAll('/fluffy/out/', `${base}/`)
        .replaceAll('/opt/fluffy/tools/test-tool/', `${RUNTIME}/`);
    mkdirSync(join(base, 'job'));
    for (const each of job.files) writeFileSync(join(base, 'job', each.name), here(each.content));
    const [python = '', ...args] = job.argv;
    return judgeOnHost(adapter, plan, base, {
      program: options.python ?? python,
      args: args.map(here),
      cwd: join(project, job.cwd),
      env: { HOME: base, TMPDIR: base, LANG: 'C.UTF-8', CI: '1', ...job.env },
      deadlineMs: options.deadlineMs ?? 20_000,
    });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
