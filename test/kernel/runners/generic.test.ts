import { afterAll, describe, expect, it } from 'vitest';
import type { TestCommand } from '../../../src/contracts/session/session-protocol.ts';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { generic } from '../../../src/kernel/runners/generic/runner.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const host = new RunnerOnHost(generic, { program: process.execPath, deadlineMs: 60_000 });
afterAll(() => {
  host.close();
});

const run = (files: Files, args: readonly string[], more: Partial<TestCommand> = {}): Promise<TestRun> =>
  host.run(files, { args, command: more });

const TESTS = { 'tests/a.sh': '', 'tests/b.sh': '' };
const prints = (text: string, code = 0): string[] => ['sh', '-c', `cat <<'END'\n${text}\nEND\nexit ${code}`];

describe('a command with an exit code', () => {
  it.each([
    [0, 'passed'],
    [3, 'failed'],
  ])('%i is one case of each file', async (code, status) => {
    const result = await run(TESTS, ['sh', '-c', `echo seen; exit ${code}`]);
    expect(statuses(result)).toEqual({ 'tests/a.sh (command)': status, 'tests/b.sh (command)': status });
    expect(result.output).toContain('seen');
    if (code !== 0) expect(result.cases[0]?.failure?.message).toBe('the command ended with 3\nseen\n');
  });

  it('gets the files that are to run where it has a place for them', async () => {
    const result = await run(TESTS, ['sh', '-c', 'echo "$@"', 'sh', '{files}']);
    expect(result.output).toContain('tests/a.sh tests/b.sh');
  });

  it('has the virtual environment of the project as an activated shell has it', async () => {
    const command = ['sh', '-c', 'echo "$VIRTUAL_ENV $PATH"'];
    const { output } = await run({ ...TESTS, 'venv/pyvenv.cfg': '' }, command);
    expect(output).toMatch(/^(\/\S+)\/venv \1\/\.venv\/bin:\1\/venv\/bin:\/usr\//m);
    expect((await run({ ...TESTS, 'venv/bin/x': '' }, ['sh', '-c', 'echo "<$VIRTUAL_ENV>"'])).output).toContain('<>');
  });

  it('collects what the configuration says, else what most languages call a test', () => {
    const command = { runner: 'generic', cwd: '', args: ['x'] };
    expect(generic.collects('src/check_a.c', { ...command, files: ['src/check_*.c'] })).toBe(true);
    expect(generic.collects('tests/a.c', { ...command, files: ['src/check_*.c'] })).toBe(false);
    expect(generic.collects('tests/a.t', command)).toBe(true);
    expect(generic.collects('src/a.c', command)).toBe(false);
  });
});

const XML = (inner: string): string =>
  `<?xml version="1.0"?><testsuites><testsuite name="s">${inner}</testsuite></testsuites>`;

describe('a command with a report', () => {
  it('assigns the cases of a JUnit report to the files that it names, and the others to one file', async () => {
    const xml = XML(
      '<testcase name="adds &lt;1&gt;" file="tests/a.sh" time="0.25"/>' +
        '<testcase name="wrong" classname="tests.a"><failure message="1 &amp; 2"><![CDATA[at <a>]]></failure><system-out>said</system-out></testcase>' +
        '<testcase name="later" file="./tests/a.sh"><skipped/></testcase><testcase name="somewhere" classname="x.Y"/>',
    );
    const result = await run(TESTS, prints(xml, 1), { report: 'junit' });
    expect(statuses(result)).toEqual({
      'tests/a.sh adds <1>': 'passed',
      'tests/a.sh wrong': 'failed',
      'tests/a.sh later': 'skipped',
      'tests/b.sh (command)': 'failed',
    });
    expect(result.cases[0]?.duration_ms).toBe(250);
    expect(result.cases[1]?.failure?.message).toBe('1 & 2\nat <a>\nsaid');
  });

  it('reads the files that this run wrote, and no older ones', async () => {
    const files = { ...TESTS, 'out/old.xml': XML('<testcase name="old"><failure/></testcase>') };
    const command = ['sh', '-c', `echo '${XML('<testcase name="new" file="tests/a.sh"/>')}' > out/new.xml`];
    const result = await run(files, command, { report: 'junit', report_file: 'out/*.xml' });
    expect(statuses(result)).toEqual({ 'tests/a.sh new': 'passed', 'tests/b.sh (command)': 'passed' });
  });

  it('has the results of a TAP stream, with the diagnostics of each', async () => {
    const tap = 'TAP version 14\n1..3\nok 1 - one\nnot ok 2 - two\n  ---\n  got: 1\n  ...\nok 3 - three # SKIP later';
    const result = await run({ 'tests/a.sh': '' }, prints(tap, 1), { report: 'tap' });
    expect(statuses(result)).toEqual({ 'tests/a.sh (command)': 'failed' });
    expect(result.cases[0]?.failure?.message).toContain('two\n---\n  got: 1');
    expect(result.cases[0]?.failure?.message).not.toContain('three');
  });

  it.each<[string, readonly string[], Partial<TestCommand>]>([
    ['a plan that is not kept', prints('1..2\nok 1'), { report: 'tap' }],
    ['no plan', prints('ok 1'), { report: 'tap' }],
    ['a bail-out', prints('1..1\nok 1\nBail out! no'), { report: 'tap' }],
    ['no report', prints('nothing'), { report: 'junit' }],
    ['a report of success with another exit code', prints('1..1\nok 1', 1), { report: 'tap' }],
    ['a report of failure with the exit code 0', prints('1..1\nnot ok 1'), { report: 'tap' }],
    ['a program that is not there', ['no-such-program'], {}],
  ])('never passes: %s', async (_, args, more) => {
    const result = await run({ 'tests/a.sh': '' }, args, more);
    expect(result.outcome).not.toBe('passed');
  });
});
