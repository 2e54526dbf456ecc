import { describe, expect, it } from 'vitest';
import type { ProjectPath, SessionId } from '../../../../src/contracts/ids.ts';
import type { Workspace } from '../../../../src/contracts/ports/workspace.ts';
import type { TestCommand } from '../../../../src/contracts/session/session-protocol.ts';
import { runSuite, runTests } from '../../../../src/kernel/proof/run/run-tests.ts';
import type { Services } from '../../../../src/kernel/services.ts';
import { baselineOf } from '../../../../src/kernel/proof/baseline.ts';
import { judgeGreen } from '../../../../src/kernel/proof/green.ts';
import type { FileTree } from '../../../support/kernel/file-tree.ts';
import { nodeTestReport } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const COMMAND = { runner: 'node-test', cwd: '', args: [] } as unknown as TestCommand;

it('takes a listing that was cut off for no suite: what passes of a part proves nothing', async () => {
  const workspace = {
    glob: () => Promise.resolve({ paths: ['src/a.js', 'test/a.test.js'], truncated: true }),
  } as unknown as Workspace;
  const site = { id: 's_1' as SessionId, workspace, session: { state: 'validating', mode: 'strict' } } as const;
  // No services: a sandbox that is started would throw.
  const run = await runSuite({} as unknown as Services, site, COMMAND, new AbortController().signal);
  expect(run).toMatchObject({ outcome: 'invalid', why: expect.stringContaining('could be listed') as string });
  expect(baselineOf(run).kind).toBe('unknown');
  const facts = { run, baseline: baselineOf(run), red: null, testHashes: {}, sourceChanged: true };
  expect(judgeGreen(facts)).toMatchObject({ kind: 'not-green' });
});

it.each<[string, readonly string[], readonly string[]]>([
  ['every collected file without a path', [], ['test/a.test.js', 'test/ab/c.test.js']],
  ['one file', ['test/a.test.js'], ['test/a.test.js']],
  ['the files beneath a directory, and not those of one whose name begins like it', ['test/a'], []],
  ['no file that is not collected', ['src/a.js'], []],
])('runs %s', async (_name, paths, requested) => {
  const files = { 'src/a.js': '', 'test/a.test.js': '', 'test/ab/c.test.js': '' };
  const { services, session, workspace, sandboxes } = testKernel({ state: 'code_writing', files });
  sandboxes.runTests = (started) => nodeTestReport(started, { works: true });
  const site = { id: session.id, workspace, session };
  const signal = new AbortController().signal;
  expect((await runSuite(services, site, COMMAND, signal, paths as ProjectPath[])).requested).toEqual(requested);
});

it('ends the run of the session when the disk is full: no model can do anything about that', async () => {
  const { services, session, workspace, sandboxes } = testKernel({
    state: 'code_writing',
    files: { 'test/a.test.js': '' },
  });
  sandboxes.runTests = () => ({ kind: 'disk-full' });
  const site = { id: session.id, workspace, session };
  const { signal } = new AbortController();
  await expect(runSuite(services, site, COMMAND, signal)).rejects.toMatchObject({ code: 'disk_full' });
});

it.each([
  [COMMAND, 300_000, 16 * 1024 * 1024],
  [{ ...COMMAND, timeout_ms: 3_600_000, max_report_bytes: 5 }, 3_600_000, 5],
])('has the limits of the user, or the shipped ones', async (command, deadlineMs, maxReportBytes) => {
  const { services, session, workspace, sandboxes } = testKernel({
    state: 'code_writing',
    files: { 'test/a.test.js': '' },
  });
  const seen: object[] = [];
  sandboxes.runTests = (started) => {
    seen.push(started.operation);
    return nodeTestReport(started, { works: true });
  };
  await runSuite(services, { id: session.id, workspace, session }, command, new AbortController().signal);
  expect(seen).toMatchObject([{ deadlineMs, maxReportBytes }]);
  expect(sandboxes.testRuns[0]?.job.input).toContain(`"caseMs":${deadlineMs * 0.9}`);
});

describe('a run that leaves something behind', () => {
  const files = { 'src/a.js': 'one', 'test/a.test.js': 'test', 'dist/a.js': 'built' };
  const run = async (leave: (tree: FileTree) => void) => {
    const kernel = testKernel({ state: 'code_writing', files, ignored: ['dist/a.js'] });
    kernel.sandboxes.runTests = (started) => {
      leave(started.files);
      return nodeTestReport(started, { works: true });
    };
    const { services, session, workspace } = kernel;
    const site = { id: session.id, workspace, session };
    return runTests(services, site, COMMAND, ['test/a.test.js'], new AbortController().signal);
  };
  const file = (text: string) => ({ text, executable: false });

  it.each<[string, (tree: FileTree) => void, string]>([
    ['a changed source', (tree) => tree.set('src/a.js', file('two')), 'src/a.js'],
    ['a changed test', (tree) => tree.set('test/a.test.js', file('easier')), 'test/a.test.js'],
    ['a file less', (tree) => tree.delete('src/a.js'), 'src/a.js'],
  ])('proves nothing with %s', async (_name, leave, path) => {
    expect(await run(leave)).toMatchObject({
      outcome: 'invalid',
      why: `The tests changed files of the project: ${path}. A run that changes the tested files proves nothing.`,
      cases: [],
    });
  });

  it('counts with a lock file that cargo brings up to date, and with no other', async () => {
    const files = { 'Cargo.toml': '', 'Cargo.lock': 'old', 'tests/a.rs': '' };
    const runWith = async (path: string) => {
      const { services, session, workspace, sandboxes } = testKernel({ state: 'code_writing', files });
      sandboxes.runTests = (started) => {
        started.files.set(path, { text: 'new', executable: false });
        return nodeTestReport(started, { works: true });
      };
      const command = { runner: 'cargo-test', cwd: '', args: [] };
      const site = { id: session.id, workspace, session };
      return runTests(services, site, command, ['tests/a.rs'], new AbortController().signal);
    };
    expect((await runWith('Cargo.lock')).why ?? '').not.toContain('changed files');
    expect((await runWith('Cargo.toml')).why).toContain('The tests changed files of the project: Cargo.toml');
  });

  it.each<[string, (tree: FileTree) => void]>([
    ['a new file', (tree) => tree.set('coverage/out.txt', file('x'))],
    ['a change of what git ignores', (tree) => tree.set('dist/a.js', file('x'))],
    ['nothing', () => undefined],
  ])('counts with %s', async (_name, leave) => {
    expect(await run(leave)).toMatchObject({ outcome: 'passed', cases: [{ name: 'works', status: 'passed' }] });
  });
});

describe('services and hosts of the user’s configuration', () => {
  const redis = { name: 'redis', port: 6379, image: null };
  const configured = {
    services: [redis],
    groups: { staging: ['api.example:443'] },
    proxy: false,
    variables: { REDIS_URL: 'redis://' },
  };

  it.each([
    ['services alone, before a call was allowed hosts', null, []],
    [
      'the hosts of the last call',
      { services: ['redis'], groups: ['staging'], hosts: ['api.example:443'] },
      ['staging'],
    ],
  ])('a run has %s', async (_name, test_network, groups) => {
    const kernel = testKernel({ state: 'code_writing', files: { 'test/a.test.js': '' } });
    const { session, workspace, sandboxes } = kernel;
    const services = { ...kernel.services, options: { ...kernel.services.options, test_network: configured } };
    sandboxes.runTests = (started) => nodeTestReport(started, { works: true });
    session.update({ test_network });
    await runSuite(services, { id: session.id, workspace, session }, COMMAND, new AbortController().signal);
    expect(sandboxes.testRuns).toMatchObject([
      { network: { services: [redis], groups }, job: { env: { REDIS_URL: 'redis://' } } },
    ]);
  });
});
