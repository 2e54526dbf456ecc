import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { observePlain } from '../../../../src/kernel/proof/plain/observe-plain.ts';
import type { FileTree } from '../../../support/kernel/file-tree.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const MANIFEST = '{ "scripts": { "build": "tsc", "test": "node --test" } }';
const FILES = {
  'package.json': MANIFEST,
  'src/f.js': 'old',
  'dist/f.js': 'built',
  'node_modules/x/index.js': 'x',
  'vendor/a.php': 'x',
};
const IGNORED = ['dist/f.js', 'local.json', 'node_modules/x/index.js', 'vendor/a.php'];

interface Ran {
  readonly script: string;
  readonly files: FileTree;
}

/** A session that has changed src/f.js; `exits` says with which code the command ends. */
function session(
  exits: (ran: Ran) => number,
  staged: Readonly<Record<string, string>> = { 'src/f.js': 'new' },
  runner = 'node-test',
) {
  const command = { runner, cwd: '', args: [] };
  const kernel = testKernel({
    files: { ...FILES, 'local.json': '{}' },
    staged,
    ignored: IGNORED,
    testCommand: command,
    snapshot: { base: { branch: 'main', head: 'a'.repeat(40) } },
  });
  const ran: Ran[] = [];
  kernel.sandboxes.runTests = ({ operation: { job }, files }) => {
    const each = { script: job.argv[2] ?? '', files: new Map(files) };
    ran.push(each);
    return { exit: { kind: 'exited', code: exits(each) }, output: 'first\nlast line' };
  };
  return { kernel, ran, observe: () => observePlain(kernel.context, command) };
}

const isNew = ({ files }: Ran): boolean => files.get('src/f.js')?.text === 'new';
const isBuilt = ({ script }: Ran): boolean => script === '( tsc ) && ( node --test )';

describe("the project's own test command", () => {
  it('runs on the tree to be committed and installed dependencies, without what git ignores', async () => {
    const { kernel, ran, observe } = session(() => 0, { 'src/f.js': 'new', 'dist/own.js': 'written by the session' });
    expect(await observe()).toMatchObject({ outcome: 'held', detail: 'npm test passes' });
    expect(ran).toHaveLength(1);
    expect([...(ran[0]?.files.keys() ?? [])].sort()).toEqual([
      'dist/own.js',
      'node_modules/x/index.js',
      'package.json',
      'src/f.js',
      'vendor/a.php',
    ]);
    expect(kernel.sandboxes.testRuns[0]?.job.argv).toEqual(['/bin/sh', '-c', 'node --test']);
    expect(kernel.sandboxes.testRuns[0]?.job.input).toBeUndefined();
    expect(Object.keys(kernel.sandboxes.testRuns[0]?.job.env ?? {}).sort()).toEqual(['HOME', 'LANG', 'PATH']);
    expect(kernel.openScratches()).toBe(0);
  });

  it('has VIRTUAL_ENV as an activated shell has it, the nearest first', async () => {
    const { ran, observe } = session(() => 0, { 'src/f.js': 'new' }, 'unittest');
    await observe();
    const script = ran[0]?.script ?? '';
    const [, homes = ''] = /^for each in (.*?); do/.exec(script) ?? [];
    const places = homes.split(' ');
    expect(places.map((home) => home.split('/').at(-1))).toEqual(['.venv', 'venv']);
    const directory = mkdtempSync(join(tmpdir(), 'fluffy-plain-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    mkdirSync(join(directory, 'venv'));
    writeFileSync(join(directory, 'venv/pyvenv.cfg'), '');
    const here = script.slice(0, script.indexOf('unset each;')).replaceAll(dirname(places[0] ?? ''), directory);
    const shell = (text: string) => execFileSync('sh', ['-c', text], { encoding: 'utf8', env: {} }).trim();
    expect(shell(`${here} echo "$VIRTUAL_ENV"`)).toBe(join(directory, 'venv'));
    rmSync(join(directory, 'venv/pyvenv.cfg'));
    expect(shell(`${here} echo "<$VIRTUAL_ENV>"`)).toBe('<>');
  });

  it('that fails with the change alone is a failure, with the end of its output', async () => {
    const { observe } = session((each) => (isNew(each) ? 1 : 0));
    const { outcome, failure } = await observe();
    expect(outcome).toBe('failed');
    expect(failure).toContain('npm test');
    expect(failure).toContain('exit code 1:\nfirst\nlast line');
    expect(failure).toContain('workflow.revise_tests');
  });

  it('that fails on HEAD as well says nothing, and is not run there again', async () => {
    const { ran, observe } = session(() => 7);
    const first = await observe();
    expect(first).toMatchObject({ outcome: 'impossible', failure: null });
    expect(first.detail).toContain('does not pass on HEAD either');
    expect(ran.map(isNew)).toEqual([true, false, false]);
    expect(await observe()).toMatchObject({ outcome: 'impossible', detail: first.detail });
    expect(ran).toHaveLength(3);
  });

  it('that needs a build is run after the build', async () => {
    const { ran, observe } = session((each) => (isBuilt(each) ? 0 : 1));
    expect(await observe()).toMatchObject({ outcome: 'held', detail: 'npm run build && npm test passes' });
    expect(ran.map(isBuilt)).toEqual([false, false, true, true]);
    expect(await observe()).toMatchObject({ outcome: 'held' });
    expect(ran.slice(4).map(isBuilt)).toEqual([true]);
  });

  it('that fails after the build with the change alone is a failure', async () => {
    const { observe } = session((each) => (isBuilt(each) && !isNew(each) ? 0 : 1));
    expect(await observe()).toMatchObject({ outcome: 'failed' });
  });

  it.each([
    ['on HEAD', 2, 'npm test on HEAD: no engine'],
    ['on HEAD after the build', 3, 'npm run build && npm test on HEAD: no engine'],
    ['after the build', 4, 'npm run build && npm test: no engine'],
  ])('that cannot be run %s is not remembered as failing there', async (_, nth, detail) => {
    const { kernel, observe } = session((each) => (isBuilt(each) ? 0 : 1));
    const { runTests } = kernel.sandboxes;
    let runs = 0;
    kernel.sandboxes.runTests = (run) =>
      (runs += 1) === nth ? { kind: 'failed', reason: 'no engine' } : runTests(run);
    expect(await observe()).toEqual({ outcome: 'impossible', detail, failure: null });
    expect(kernel.session.snapshot.plain_on_head?.ends).not.toBe('fails');
    expect(await observe()).toMatchObject({ outcome: 'held' });
  });

  it('that is interrupted ends there, and nothing is remembered', async () => {
    const { kernel } = session(() => 1);
    const interrupt = new AbortController();
    kernel.sandboxes.runTests = () => {
      interrupt.abort();
      return { exit: { kind: 'exited', code: 1 } };
    };
    const context = { ...kernel.context, signal: interrupt.signal };
    await expect(observePlain(context, { runner: 'node-test', cwd: '', args: [] })).rejects.toThrow();
    expect(kernel.sandboxes.testRuns).toHaveLength(1);
    expect(kernel.session.snapshot.plain_on_head).toBeNull();
  });

  it.each([
    [{ kind: 'timed-out', afterMs: 300_000 } as const, 'npm test: it did not end within 300 s'],
    [{ kind: 'failed', reason: 'no engine' } as const, 'npm test: no engine'],
  ])('that cannot be run says why: %o', async (failure, detail) => {
    const { kernel, observe } = session(() => 0);
    kernel.sandboxes.runTests = () => failure;
    expect(await observe()).toEqual({ outcome: 'impossible', detail, failure: null });
  });
});
