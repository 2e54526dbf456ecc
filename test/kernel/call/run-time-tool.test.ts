import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { explainRefusal } from '../../../src/kernel/serve/explain-refusal.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';
import { defineTool } from '../../../src/kernel/tools/tool.ts';
import { callAll, callTool } from '../../support/kernel/calls.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';

/** What an MCP server says of a tool, and how it is called. */
class FakeServer {
  readonly calls: unknown[] = [];
  readonly listed = {
    name: 'lookup',
    description: 'Look up an issue.',
    inputSchema: { type: 'object', properties: { issue: { type: 'integer' } }, required: ['issue'] },
  };

  call(name: string, input: unknown): Promise<{ text: string; isError: boolean }> {
    this.calls.push([name, input]);
    const { issue } = input as { issue: number };
    return Promise.resolve({ text: `issue ${issue}: key ghp_${'a1B2'.repeat(8)}`, isError: issue < 0 });
  }
}

/** A tool of a server, as a client that knows nothing of it at build time makes it. */
function toolOf(server: FakeServer) {
  const { name, description, inputSchema } = server.listed;
  return defineTool({
    name: `tracker.${name}`,
    description,
    input: z.record(z.string(), z.unknown()),
    inputSchema,
    place: 'kernel',
    effect: 'run',
    plugin: { name: 'mcp:tracker', tags: [], program: null },
    states: ['planning', 'code_writing'],
    opens: 'It opens with the next task.',
    describe: (input) => JSON.stringify(input),
    perform: async (input) => {
      const { text, isError } = await server.call(name, input);
      return isError
        ? { ok: false, error: { code: 'sandbox_failed', message: text, retryable: false } }
        : { ok: true, text, summary: 'looked up' };
    },
  });
}

const ALLOW = policyOf(
  'capabilities: [{ name: tracker, match: { syscall: tracker.lookup, plugin: "mcp:tracker" }, action: allow }]',
);

function kernelWith(server: FakeServer, options: Parameters<typeof testKernel>[0] = {}) {
  const tools = TOOLS.with(toolOf(server));
  return testKernel({ policy: ALLOW, services: { tools: () => tools }, ...options });
}

describe('a tool that comes at run time', () => {
  it('is called like any other: decided, recorded, performed, cleaned, shown', async () => {
    const server = new FakeServer();
    const kernel = kernelWith(server);
    const reply = await callTool(kernel, 'tracker.lookup', { issue: 7 });
    expect(server.calls).toEqual([['lookup', { issue: 7 }]]);
    expect(reply).toMatchObject({ ok: true, content: expect.stringMatching(/^issue 7: key \[redacted: /) as unknown });
    expect(kernel.audit.durable.map(({ event_type }) => event_type)).toEqual([
      'syscall',
      'tool_execute',
      'tool_result',
    ]);
    expect(kernel.audit.durable[0]).toMatchObject({ policy_rule_name: 'tracker', input_summary: '{"issue":7}' });
    expect(kernel.eventsOf('tool.started')).toMatchObject([{ tool: 'tracker.lookup', summary: '{"issue":7}' }]);
    expect(kernel.eventsOf('tool.finished')).toMatchObject([{ ok: true, summary: 'looked up' }]);
  });

  it.each([
    ['the shipped policy, which does not know it', {}, 'policy_denied: Policy denies tracker.lookup: '],
    [
      'a state in which it is closed',
      { policy: ALLOW, state: 'reviewing' },
      'tool_unavailable: tracker.lookup is not open',
    ],
  ] as const)(
    'is refused by %s',
    async (_, { policy, ...options }: { policy?: typeof ALLOW; state?: 'reviewing' }, why) => {
      const server = new FakeServer();
      const tools = TOOLS.with(toolOf(server));
      const kernel = testKernel({
        ...(policy === undefined ? {} : { policy }),
        services: { tools: () => tools },
        ...options,
      });
      expect((await callTool(kernel, 'tracker.lookup', { issue: 7 })).content).toContain(why);
      expect(server.calls).toEqual([]);
    },
  );

  it('is not allowed by a rule for the plugins that ship, and gets no sandbox of theirs', async () => {
    const server = new FakeServer();
    const trusting = (match: string) => policyOf(`capabilities: [{ name: t, match: { ${match} }, action: allow }]`);
    const kernel = kernelWith(server, { policy: trusting('caller_tag: core_plugin') });
    expect((await callTool(kernel, 'tracker.lookup', { issue: 7 })).content).toMatch(/^policy_denied: /);
    expect(server.calls).toEqual([]);
    const sandboxed = defineTool({
      name: 'tracker.grab',
      description: 'Asks for a sandbox.',
      input: z.strictObject({}),
      place: 'overlay',
      effect: 'run',
      plugin: { name: 'mcp:tracker', tags: [], program: null },
      states: ['code_writing'],
      opens: 'Never.',
      perform: (_input, context) => context.change({ params: {}, done: '' }),
    });
    const tools = TOOLS.with(sandboxed);
    const grabbing = testKernel({ policy: trusting('syscall: tracker.grab'), services: { tools: () => tools } });
    expect(await callTool(grabbing, 'tracker.grab', {})).toMatchObject({
      ok: false,
      content: expect.stringContaining('has no program that runs in a sandbox') as unknown,
    });
  });

  it('reports the failure of its server to the model', async () => {
    const kernel = kernelWith(new FakeServer());
    expect(await callTool(kernel, 'tracker.lookup', { issue: -1 })).toMatchObject({
      ok: false,
      content: expect.stringMatching(/^sandbox_failed: issue -1/) as unknown,
    });
  });

  it.each<[string, () => never]>([
    [
      'an error',
      () => {
        throw new Error('socket hang up');
      },
    ],
    [
      'something that is no error',
      () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error
        throw 'socket hang up';
      },
    ],
  ])('is a failed call when its code throws %s, and the run goes on', async (_name, call) => {
    const server = new FakeServer();
    server.call = call;
    const kernel = kernelWith(server);
    expect(await callTool(kernel, 'tracker.lookup', { issue: 1 })).toMatchObject({
      ok: false,
      content: expect.stringContaining('sandbox_failed: tracker.lookup failed: socket hang up') as unknown,
    });
    expect(kernel.audit.durable.at(-1)).toMatchObject({ event_type: 'tool_result' });
  });

  it('ends the run when the kernel itself fails in it', async () => {
    const server = new FakeServer();
    server.call = () => {
      throw new FluffyError({ code: 'audit_write_failed', what: 'w', why: 'y', fix: 'f', exitCode: 1 });
    };
    await expect(callTool(kernelWith(server), 'tracker.lookup', { issue: 1 })).rejects.toMatchObject({
      code: 'audit_write_failed',
    });
  });

  it('is explained with its own tags when it was refused', async () => {
    const kernel = kernelWith(new FakeServer(), {
      policy: policyOf('capabilities: [{ name: shipped, match: { caller_tag: core_plugin }, action: allow }]'),
    });
    await callTool(kernel, 'tracker.lookup', { issue: 7 });
    const { last_refusal: refusal } = kernel.session.snapshot;
    if (refusal === null) throw new Error('nothing was refused');
    expect(explainRefusal(refusal, kernel.services.policy())).not.toContain('the current policy allows it');
  });

  it('is found by a name that is close, and beside the other tools of one message', async () => {
    const server = new FakeServer();
    const kernel = kernelWith(server);
    const [first, second] = await callAll(kernel, [
      { tool: 'tracker.lokup', input: {} },
      { tool: 'tracker.lookup', input: { issue: 1 } },
    ]);
    expect(first?.content).toContain('Did you mean tracker.lookup?');
    expect(second).toMatchObject({ ok: true });
  });

  it('is in the request to the model, and its call in the history', async () => {
    const server = new FakeServer();
    const policy = policyOf(
      'capabilities: [{ name: all, match: { syscall: [ai.generate, tracker.lookup] }, action: allow }]',
    );
    const kernel = kernelWith(server, { policy, state: 'planning' });
    kernel.sandboxes.turns.push(
      modelAnswer('', [{ tool: 'tracker.lookup', input: { issue: 3 } }]),
      modelAnswer('Done.'),
    );
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    const [request, next] = kernel.sandboxes.requests;
    expect(request?.tools.at(-1)).toEqual({
      name: 'tracker.lookup',
      description: 'Look up an issue.',
      input_schema: server.listed.inputSchema,
    });
    expect(next?.messages.at(-1)).toMatchObject({ role: 'tool', results: [{ ok: true }] });
  });
});
