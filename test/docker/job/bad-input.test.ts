import { chownSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { RunResult } from '../../support/job/fluffy-home.ts';
import { PARSE_CONFIG_FILES, giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { COMMIT, PLAN, RUN_TESTS, STRAIGHT, WRITE_SOURCE, WRITE_TEST } from '../../support/job/parse-config-turns.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { calls, turn } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';

/** What is refused before a kernel is started: test/cli/headless/refused-at-once.test.ts, in one process. */

const MODEL = ['--model', 'anthropic/claude-test'];
const TASK = ['-p', 'Add error handling'];

const home = makeFluffyHome();
afterAll(() => home.remove([]));
const shared = sharedScene();
afterAll(() => shared.close());

describe('refused by a process', () => {
  it('in words alone in the text format, with nothing on stdout', async () => {
    const result = await home.run(['-p', 'x'], { cwd: '/' });
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(/^ERROR: .+\nReason: .+\nFix: .+\n$/s);
    expect(result.code).toBe(2);
  });
});

interface Job {
  readonly project: JobProject;
  run(...args: string[]): Promise<RunResult>;
}

let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

async function job(script: Script, project: JobProject, cwd = ''): Promise<Job> {
  const model = await startAnthropicServer(script);
  const own = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
  close = async () => {
    await own.remove([project.root]);
    await model.close();
    project.remove();
  };
  return {
    project,
    run: (...args) => own.run([...MODEL, '--output-format', 'stream-json', ...args], { cwd: join(project.root, cwd) }),
  };
}

function errorsOf(events: readonly FluffyEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'tool.finished' && !event.ok ? [event.error?.code ?? ''] : []));
}

describe('odd, but good enough for a whole run', () => {
  it('a sub-folder of a monorepo whose own tests count, in a path with blanks, commas, quotes and letters of other scripts', async () => {
    const inPackage = Object.fromEntries(
      Object.entries(PARSE_CONFIG_FILES).map(([path, text]) => [`packages/app/${path}`, text]),
    );
    const files = {
      ...inPackage,
      'packages/other/package.json': '{ "scripts": { "test": "node --test" } }\n',
      'packages/other/other.test.js': "throw new Error('not asked for');\n",
      'README.md': 'two packages\n',
    };
    const moved = (each: typeof WRITE_TEST) =>
      calls(
        ...(each.calls ?? []).map(({ tool, input }) => {
          const { path, ...rest } = input as { path: string };
          return { tool, input: { ...rest, path: `packages/app/${path}` } };
        }),
      );
    const script = [PLAN, moved(WRITE_TEST), RUN_TESTS, moved(WRITE_SOURCE), RUN_TESTS, COMMIT];
    const { project, run } = await job(script, makeJobProject(files, 'prö ject, "日本" & 50%'), 'packages/app');
    const result = await run(...TASK);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
      'packages/app/src/parse-config.js',
      'packages/app/test/bad-config.test.js',
    ]);
  });

  it('a project of root, with leave to work on it', async () => {
    const project = makeJobProject();
    for (const name of ['', ...Object.keys(snapshotTree(project.root))]) chownSync(join(project.root, name), 0, 0);
    const { run } = await job(STRAIGHT, project);
    const result = await run('--allow-root', ...TASK);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  });

  it('binary, huge and odd files that the model reads', async () => {
    const read = (path: string) => ({ tool: 'fs.read', input: { path } });
    const s = await shared.begin([
      calls(read('image.bin'), read('huge.log'), read('long-line.json'), read('empty-directory')),
      calls({ tool: 'search.grep', input: { pattern: 'parseConfig' } }),
      turn({ text: 'Seen.' }),
    ]);
    const { root } = s.project;
    writeFileSync(join(root, 'image.bin'), Buffer.from([0, 1, 2, 255, 254, 0, 137, 80]));
    writeFileSync(join(root, 'huge.log'), '');
    truncateSync(join(root, 'huge.log'), 3 * 1024 ** 3);
    writeFileSync(join(root, 'long-line.json'), `"${'x'.repeat(9_000_000)}"`);
    mkdirSync(join(root, 'empty-directory'));
    giveAway(root);
    const result = await s.run(TASK);
    expect(result.code).toBe(0);
    const codes = errorsOf(result.events);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter((code) => !['too_large', 'invalid_input', 'not_found', 'path_refused'].includes(code))).toEqual(
      [],
    );
    const grep = result.events.find((event) => event.type === 'tool.finished' && event.tool === 'search.grep');
    expect(grep).toMatchObject({ ok: true });
  });

  it('a file that Git LFS keeps, edited: said, and nothing committed', async () => {
    const giveUp = calls({ tool: 'task.give_up', input: { reason: 'LFS' } });
    const s = await shared.begin([...STRAIGHT, giveUp, giveUp, giveUp]);
    const { project } = s;
    writeFileSync(join(project.root, '.gitattributes'), 'src/*.js filter=lfs diff=lfs merge=lfs -text\n');
    project.git('add', '.gitattributes');
    project.git('commit', '--quiet', '--message', 'Keep sources in LFS');
    giveAway(project.root);
    const before = snapshotTree(project.root);
    const result = await s.run(TASK);
    expect(result.code).not.toBe(0);
    expect(result.stdout).toMatch(/LFS/);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'failed' });
    expect(snapshotTree(project.root)).toEqual(before);
  });
});
