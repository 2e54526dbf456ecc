import { describe, expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const HEAD = '1'.repeat(40);
const NOTE = 'Tests run with npm test';

async function note(options: TestKernelOptions = {}, over: { passes?: boolean; abort?: boolean } = {}) {
  const kernel = testKernel({
    state: 'idle',
    files: { 'a.js': '1', 'test/a.test.js': 'old', 'AGENTS.md': '- One\n' },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    options: { interactive: true },
    ...options,
    commits: {
      base: () => Promise.resolve({ kind: 'ok', branch: 'main', head: HEAD }),
      dirtyPaths: () => Promise.resolve([]),
      prepare: (_session, _workspace, message) =>
        Promise.resolve({ kind: 'prepared', message, diff: '+note\n', findings: [] }),
      ...options.commits,
    },
  });
  kernel.session.save();
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  kernel.sandboxes.runTests = (run) => {
    if (over.abort === true) manager.interrupt(SESSION_ID, 'interrupt');
    return nodeTestReport(run, { works: run.operation.session === SESSION_ID ? (over.passes ?? true) : true });
  };
  const answer = await manager.note(SESSION_ID, NOTE);
  const session = manager.get(SESSION_ID);
  const types = kernel.store.events(SESSION_ID, 0).map(({ type }) => type);
  return { ...kernel, manager, answer, session, types };
}

describe('a note of the user', () => {
  it('is staged and tested, and waits for a decision as a commit of its own', async () => {
    const { answer, session, workspace, manager, types } = await note();
    expect(answer).toEqual({ outcome: 'proposed', message: '' });
    expect(workspace.text('AGENTS.md')).toBe(`- One\n- ${NOTE}\n`);
    expect(manager.reviews.waiting(SESSION_ID)).toMatchObject({ message: `Add a note to AGENTS.md\n\n${NOTE}` });
    expect(session).toMatchObject({ state: 'reviewing', row: { status: 'waiting', title: NOTE } });
    expect(types).toContain('test.finished');
    expect(types.slice(-2)).toEqual(['review.requested', 'session.finished']);
    expect(session.messages.at(-1)).toMatchObject({ author: 'kernel', text: expect.stringContaining(NOTE) as string });
  });

  it.each([
    ['AGENTS.md', { 'CLAUDE.md': 'x\n', 'AGENTS.md': 'y\n' }],
    ['CLAUDE.md', { 'CLAUDE.md': 'x\n' }],
    ['AGENTS.md', {}],
  ] as const)('goes into %s', async (path, files) => {
    const { workspace } = await note({ files: { 'test/a.test.js': 'old', ...files } });
    expect((await workspace.changes()).map((change) => change.path)).toEqual([path]);
  });

  it('is written in explore mode, too', async () => {
    const { answer, session } = await note({ mode: 'explore' });
    expect([answer.outcome, session.state]).toEqual(['proposed', 'reviewing']);
  });

  it.each([
    ['the suite fails', {}, { passes: false }, 'fail'],
    ['it is interrupted', {}, { abort: true }, ''],
    [
      'policy denies it',
      { policy: policyOf('capabilities: [{ name: no, match: { syscall: fs.write }, action: deny, reason: never }]') },
      {},
      'policy_denied',
    ],
    [
      'no commit can be made',
      { commits: { prepare: () => Promise.resolve({ kind: 'refused', reason: 'AGENTS.md is ignored' }) } },
      {},
      'AGENTS.md is ignored',
    ],
    ['it is no text', { files: { 'AGENTS.md': 'a\0b' } }, {}, 'AGENTS.md is no text'],
    ['the project has no tests', { testCommand: null }, {}, 'No test command'],
  ] as [string, TestKernelOptions, { passes?: boolean; abort?: boolean }, string][])(
    'leaves nothing where %s',
    async (_, options, over, why) => {
      const { answer, session, workspace } = await note(options, over);
      expect(answer).toEqual({ outcome: 'refused', message: expect.stringContaining(why) as string });
      expect(await workspace.changes()).toEqual([]);
      expect(session).toMatchObject({ state: 'idle', snapshot: { exemption: null, review: null } });
    },
  );

  it('does not touch the work of a task', async () => {
    const { answer, session, workspace } = await note({ state: 'code_writing', staged: { 'a.js': '2' } });
    expect(answer).toMatchObject({ outcome: 'refused', message: expect.stringContaining('/reset') as string });
    expect([session.state, workspace.text('a.js')]).toEqual(['code_writing', '2']);
  });
});
