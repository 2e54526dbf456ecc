import { describe, expect, it } from 'vitest';
import type { TestCommand } from '../../../../src/contracts/session/session-protocol.ts';
import { observePlain } from '../../../../src/kernel/proof/plain/observe-plain.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const SCRIPTS = { test: 'node --test', lint: 'npm run types && eslint .', types: 'tsc', 'lint:fix': 'eslint --fix' };

/** Before each script: a virtual environment of the project, as an activated shell has it. */
const ACTIVATES = /^for each in .*; unset each; /;

interface Ran {
  readonly script: string;
  readonly isNew: boolean;
}

/** A session that has changed src/f.js; `exits` says with which code a command ends, or that it cannot be run. */
function session(
  exits: (ran: Ran) => number | 'hangs' | null,
  {
    scripts = SCRIPTS,
    command = {},
    files = {},
  }: {
    scripts?: Readonly<Record<string, string>>;
    command?: Partial<TestCommand>;
    files?: Readonly<Record<string, string>>;
  } = {},
) {
  const testCommand = { runner: 'node-test', cwd: '', args: [], ...command };
  const kernel = testKernel({
    files: { 'package.json': JSON.stringify({ scripts }), 'src/f.js': 'old', ...files },
    staged: { 'src/f.js': 'new' },
    testCommand,
    snapshot: { base: { branch: 'main', head: 'a'.repeat(40) } },
  });
  const ran: Ran[] = [];
  kernel.sandboxes.runTests = ({ operation, files }) => {
    const { job } = operation;
    const each = { script: (job.argv[2] ?? '').replace(ACTIVATES, ''), isNew: files.get('src/f.js')?.text === 'new' };
    ran.push(each);
    const code = exits(each);
    if (code === 'hangs') return { kind: 'timed-out', afterMs: operation.deadlineMs };
    return code === null
      ? { kind: 'failed', reason: 'no engine' }
      : { exit: { kind: 'exited', code }, output: 'src/f.js:1 wrong' };
  };
  return { kernel, ran, observe: () => observePlain(kernel.context, testCommand) };
}

const LINT = '( tsc ) && eslint .';

describe("the project's own checks", () => {
  it('run beside the test command on the tree to be committed, but those that write', async () => {
    const { kernel, ran, observe } = session(() => 0);
    expect(await observe()).toEqual({
      outcome: 'held',
      detail: 'npm test passes; npm run types passes, npm run lint passes',
      failure: null,
    });
    expect(ran.map(({ script }) => script).toSorted()).toEqual([LINT, 'node --test', 'tsc'].toSorted());
    expect(ran.every(({ isNew }) => isNew)).toBe(true);
    const counted = kernel.eventsOf('proof.progress').map(({ observation, done, total }) => [observation, done, total]);
    expect(counted).toEqual([0, 1, 2].map((done) => ['plain', done, 2]));
    expect(kernel.openScratches()).toBe(0);
  });

  it('that fail with the change alone are a failure, with what they said', async () => {
    const { observe } = session(({ script, isNew }) => (script === LINT && isNew ? 1 : 0));
    const { outcome, detail, failure } = await observe();
    expect(outcome).toBe('failed');
    expect(detail).toMatch(/^npm run lint fails with this change: it ends with exit code 1/);
    expect(failure).toContain('npm run lint: it ends with exit code 1:\nsrc/f.js:1 wrong');
    expect(failure).not.toContain('npm run types');
  });

  it('of a package of a workspace run too, whose tests belong to those of the root', async () => {
    const { observe } = session(({ script, isNew }) => (script === 'mypy .' && isNew ? 1 : 0), {
      scripts: { test: 'node --test' },
      files: { 'src/package.json': JSON.stringify({ scripts: { types: 'mypy .' } }) },
    });
    expect(await observe()).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('npm run types fails with this change') as string,
    });
  });

  it('that fail on HEAD too may fail', async () => {
    const { observe } = session(({ script }) => (script === LINT ? 1 : 0));
    expect(await observe()).toMatchObject({
      outcome: 'held',
      detail:
        'npm test passes; npm run types passes, npm run lint does not pass on HEAD either (it ends with exit code 1: src/f.js:1 wrong)',
    });
  });

  it.each([true, false])('that cannot be run say nothing of the change: on its tree %s', async (onChange) => {
    const { observe } = session(({ script, isNew }) => (script !== LINT ? 0 : isNew === onChange ? null : 1));
    const { outcome, detail } = await observe();
    expect(outcome).toBe('held');
    expect(detail).toContain('npm run lint was not run: no engine');
  });

  it('are a failure also where the test command says nothing', async () => {
    const { observe } = session(({ script, isNew }) => (script === LINT && !isNew ? 0 : script === 'tsc' ? 0 : 1));
    expect(await observe()).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('npm run lint') as string,
    });
  });

  it('do not run if the test command fails, or if the user disables checks', async () => {
    const failing = session(({ script, isNew }) => (script === 'node --test' && isNew ? 1 : 0));
    await failing.observe();
    expect(failing.ran.map(({ script }) => script)).toEqual(['node --test', 'node --test']);
    const without = session(() => 0, { command: { checks: 'none' } });
    expect(await without.observe()).toMatchObject({ detail: 'npm test passes' });
    expect(without.ran).toHaveLength(1);
  });

  it('whose program is not installed report that, and are not run on HEAD', async () => {
    const { observe, ran } = session(({ script }) => (script.includes('command -v ruff') ? 127 : 0), {
      scripts: { test: 'node --test' },
      files: { 'ruff.toml': 'line-length = 100' },
    });
    expect((await observe()).detail).toMatch(/^npm test passes; ruff check .* was not run: src\/f\.js:1 wrong$/);
    expect(ran).toHaveLength(2);
  });

  it('that hang are ended early, named beside what fails, and not waited for again', async () => {
    const { kernel, observe, ran } = session(({ script, isNew }) =>
      script === 'tsc' ? 'hangs' : script === LINT && isNew ? 1 : 0,
    );
    const { detail } = await observe();
    expect(detail).toMatch(
      /^npm run lint fails with this change: .*; npm run types was not run: it did not end within 120 s$/,
    );
    expect(kernel.eventsOf('notice')).toMatchObject([
      { code: 'check_hangs', what: 'The check npm run types did not end' },
    ]);
    await observe();
    expect(ran.filter(({ script }) => script === 'tsc')).toHaveLength(1);
  });

  it("of the project's root run for a change in a package", async () => {
    const { observe } = session(() => 0, {
      command: { cwd: 'src' },
      files: { 'src/Makefile': 'lint:\n\ttrue\n' },
    });
    expect((await observe()).detail).toBe(
      'node --test passes; make lint passes, npm run types passes, npm run lint passes',
    );
  });
});
