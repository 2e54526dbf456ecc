import { describe, expect, it } from 'vitest';
import { callAll, callTool } from '../../support/kernel/calls.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernel } from '../../support/kernel/test-kernel.ts';

const READ = ['fs.read', { path: 'src/a.js' }] as const;
const WRITE = ['fs.write', { path: 'src/a.js', content: 'new' }] as const;
const KEY = `ghp_${'a1B2'.repeat(8)}`;

const kernelWith = (options: Parameters<typeof testKernel>[0] = {}) =>
  testKernel({ files: { 'src/a.js': 'old' }, ...options });

/** Types of the records, in their order. */
const typesOf = ({ audit }: TestKernel) => audit.records.map(({ event_type }) => event_type);

describe('records of a call', () => {
  it('of a write are on disk one by one: decision, intent, capability, outcome', async () => {
    const kernel = kernelWith();
    await callTool(kernel, ...WRITE);
    expect(kernel.audit.buffered).toEqual([]);
    expect(typesOf(kernel)).toEqual(['syscall', 'tool_execute', 'capability_issued', 'syscall', 'tool_result']);
    expect(kernel.audit.records[0]).toMatchObject({ policy_decision: 'allowed', input_summary: 'src/a.js' });
  });

  it('of a read wait, since a read has no effect', async () => {
    const kernel = kernelWith();
    await callTool(kernel, ...READ);
    expect(kernel.audit.durable).toEqual([]);
    expect(typesOf(kernel)).toEqual(['syscall', 'tool_result']);
  });

  it('of a read that is denied do not wait: the record is what shows the attempt', async () => {
    const policy = policyOf('capabilities: [{ name: shut, match: { syscall: fs.read }, action: deny }]');
    const kernel = kernelWith({ policy });
    const reply = await callTool(kernel, ...READ);
    expect(reply.content).toMatch(/^policy_denied: Policy denies fs\.read: /);
    expect(kernel.audit.durable).toMatchObject([
      { event_type: 'syscall', policy_decision: 'denied', policy_rule_name: 'shut', input_summary: 'src/a.js' },
    ]);
    expect(kernel.audit.buffered).toMatchObject([{ event_type: 'tool_result', policy_decision: 'denied' }]);
    expect(kernel.store.writes.flat()).toMatchObject([
      { type: 'tool.started' },
      { type: 'policy.decision', decision: 'denied', decided_by: ['shut'] },
    ]);
  });

  it('say what was done where no path says it, without its secrets', async () => {
    const kernel = kernelWith({ state: 'exploring', mode: 'debug', answer: 'approve' });
    await callTool(kernel, 'shell.run', { command: ['deploy', '--token', KEY] });
    const [decision] = kernel.audit.records;
    expect(decision).toMatchObject({ event_type: 'syscall', tool_name: 'shell.run' });
    expect(decision?.input_summary).toMatch(/^deploy --token \[redacted: .*\]$/);
  });

  it.each([
    ['the state', 'planning', WRITE, 'fs.write is not open in state planning.'],
    ['the kind of file', 'code_writing', ['fs.write', { path: 'test/a.test.js', content: '' }], 'frozen since'],
    ['the network', 'code_writing', ['test.run', { network: true }], 'test.run with network is denied'],
  ] as const)('say denied, and why, where %s refuses', async (_, state, [tool, input], why) => {
    const kernel = kernelWith({ state });
    await callTool(kernel, tool, input);
    expect(kernel.audit.durable).toMatchObject([
      { event_type: 'syscall', policy_decision: 'denied', deny_reason: expect.stringContaining(why) as unknown },
      { event_type: 'tool_result', policy_decision: 'denied' },
    ]);
  });

  it('that cannot be written stop the call before its effect', async () => {
    const kernel = kernelWith();
    kernel.audit.failing = true;
    await expect(callTool(kernel, ...WRITE)).rejects.toMatchObject({ code: 'audit_write_failed' });
    expect(kernel.sandboxes.operations).toEqual([]);
    expect(kernel.workspace.text('src/a.js')).toBe('old');
  });

  it('that fail between decision and effect stop it too', async () => {
    const kernel = kernelWith();
    kernel.session.subscribe((event) => {
      if (event.type === 'policy.decision') kernel.audit.failing = true;
    });
    await expect(callTool(kernel, ...WRITE)).rejects.toMatchObject({ code: 'audit_write_failed' });
    expect(kernel.sandboxes.operations).toEqual([]);
  });

  it('note a read that was tried again', async () => {
    const kernel = kernelWith();
    const read = kernel.workspace.read.bind(kernel.workspace);
    let failures = 1;
    kernel.workspace.read = (...where) => {
      failures -= 1;
      return failures < 0 ? read(...where) : Promise.reject(new Error('stale file handle'));
    };
    const reply = callTool(kernel, ...READ);
    await kernel.advance(0);
    await kernel.advance(100);
    expect(await reply).toMatchObject({ ok: true });
    expect(kernel.audit.records).toContainEqual(
      expect.objectContaining({ event_type: 'tool_execute', input_summary: 'retried' }),
    );
  });
});

describe('events of a call', () => {
  it.each([
    ['fs.write', WRITE, 'on disk before they are shown', true],
    ['fs.read', READ, 'shown first', false],
    ['a tool that does not exist', ['fs.format', {}], 'on disk before they are shown', true],
  ] as const)('of %s are %s', async (_, [tool, input], _when, isDurable) => {
    const kernel = kernelWith();
    const wasWritten: boolean[] = [];
    kernel.session.subscribe(({ seq }) => {
      wasWritten.push(kernel.store.writes.flat().some((event) => event.seq === seq));
    });
    await callTool(kernel, tool, input);
    expect(new Set(wasWritten)).toEqual(new Set([isDurable]));
  });

  it('of reads are written with the next decision, in their order', async () => {
    const kernel = kernelWith();
    await callTool(kernel, ...READ);
    expect(kernel.store.writes).toEqual([]);
    await callTool(kernel, ...WRITE);
    const seqs = kernel.store.writes.flat().map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(kernel.store.writes[0]).toMatchObject([
      { type: 'tool.started', tool: 'fs.read' },
      { type: 'policy.decision', syscall: 'fs.read' },
      { type: 'tool.finished', tool: 'fs.read' },
      { type: 'tool.started', tool: 'fs.write' },
    ]);
  });

  it("carry the tool's own words, without secrets", async () => {
    const kernel = kernelWith();
    await callTool(kernel, 'fs.move', { from: 'src/a.js', to: 'src/b.js' });
    await callTool(kernel, 'search.grep', { pattern: KEY });
    await callTool(kernel, 'git.status', {});
    expect(kernel.eventsOf('tool.started').map(({ summary }) => summary)).toEqual([
      'src/a.js → src/b.js',
      expect.stringMatching(/^"\[redacted: .*\]"$/),
      undefined,
    ]);
    expect(JSON.stringify(kernel.events)).not.toContain(KEY);
  });

  it('name a tool by its replaced name only, and cut arguments that cannot be read', async () => {
    const kernel = kernelWith();
    const name = 'evil\u001b]0;owned\u0007';
    await callAll(kernel, [
      { tool: name, input: {} },
      { tool: 'fs.read', input: `{"path":${'['.repeat(400_000)}` },
    ]);
    const text = JSON.stringify([kernel.events, kernel.audit.records, kernel.session.snapshot]);
    expect(text).not.toContain('owned');
    expect(text).toContain('invalid_tool_name');
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('what the model is answered', () => {
  it('is cleaned of keys and cut to the limit of the policy', async () => {
    const policy = policyOf(
      'capabilities: [{ name: all, match: { syscall: fs.read }, action: allow }]\nsanitizer: { max_result_tokens: 100 }',
    );
    const kernel = kernelWith({ policy, files: { 'src/a.js': `${KEY}\n${'x'.repeat(10)}\n`.repeat(500) } });
    const { content } = await callTool(kernel, ...READ);
    expect(content).not.toContain('a1B2');
    expect(content.length).toBeLessThan(500);
  });

  it('of calls that were not begun when the run was interrupted, is that', async () => {
    const kernel = kernelWith();
    const context = { ...kernel.context, signal: AbortSignal.abort() };
    expect(await callTool({ context }, ...WRITE)).toEqual({
      call_id: 'c1',
      ok: false,
      content: 'cancelled: the run was interrupted before this call.',
    });
    expect(kernel.events).toEqual([]);
  });
});

describe('what a refusal means for the exit code', () => {
  const ASK = policyOf('capabilities: [{ name: ask, match: { syscall: fs.write }, action: require_review }]');
  it.each([
    ['by policy', { path: '.git/config', content: '' }, {}, { gate: false, policy: true, review: false }],
    ['by the path', { path: '../x', content: '' }, {}, { gate: false, policy: true, review: false }],
    ['by the state', WRITE[1], { state: 'planning' as const }, { gate: true, policy: false, review: false }],
    [
      'by the exemption',
      WRITE[1],
      {
        state: 'exploring' as const,
        snapshot: { exemption: { category: 'documentation' as const, paths: ['a.md'], reason: 'typo' } },
      },
      { gate: true, policy: false, review: false },
    ],
    ['by a person', WRITE[1], { policy: ASK, answer: { reject: 'no' } }, { gate: false, policy: false, review: false }],
    [
      'without a person',
      WRITE[1],
      { policy: ASK, options: { interactive: false } },
      { gate: false, policy: false, review: true },
    ],
    ['by the parser', { path: 1 }, {}, { gate: false, policy: false, review: false }],
  ])('%s', async (_, input, options, refused) => {
    const kernel = kernelWith(options);
    expect(await callTool(kernel, 'fs.write', input)).toMatchObject({ ok: false });
    expect(kernel.session.snapshot.refused).toEqual(refused);
  });

  it('of a call that writes nothing is no refusal by a gate', async () => {
    const kernel = kernelWith({ state: 'exploring' });
    expect(await callTool(kernel, 'plan.complete', { summary: 'x', steps: [] })).toMatchObject({ ok: false });
    expect(kernel.session.snapshot.refused.gate).toBe(false);
  });
});
