import { describe, expect, it } from 'vitest';
import { comeBack } from '../../../src/kernel/serve/come-back.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const CALLS = [
  { call_id: 'c1', tool: 'fs.write', arguments: '{}' },
  { call_id: 'c2', tool: 'test.run', arguments: '{}' },
];

function scene(options: TestKernelOptions) {
  const kernel = testKernel(options);
  kernel.session.push({ role: 'user', text: 'do it' });
  kernel.session.push({ role: 'assistant', text: '', calls: CALLS });
  comeBack(kernel.session);
  return kernel;
}

describe('a run whose kernel died', () => {
  it('says so, and ends every call that was under way', () => {
    const { events, session } = scene({ state: 'code_writing', snapshot: { running: true } });
    expect(events).toMatchObject([
      { type: 'notice', code: 'kernel_restarted' },
      { type: 'tool.finished', call_id: 'c1', tool: 'fs.write', ok: false, error: { code: 'cancelled' } },
      { type: 'tool.finished', call_id: 'c2', tool: 'test.run', ok: false, error: { code: 'cancelled' } },
    ]);
    expect(session.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [
        { call_id: 'c1', ok: false, content: expect.stringContaining('the kernel was restarted') as string },
        { call_id: 'c2', ok: false },
      ],
    });
  });

  it.each([
    ['strict', 'code_writing'],
    ['explore', 'exploring'],
  ] as const)('in validating comes back where it was before, in %s mode in %s', (mode, state) => {
    const { session } = scene({ state: 'validating', mode, snapshot: { running: true } });
    expect(session.state).toBe(state);
  });
});

it('a run that was interrupted says nothing of a restart, and has its calls answered', () => {
  const { events, session } = scene({ state: 'code_writing' });
  expect(events).toEqual([]);
  expect(session.messages.at(-1)).toMatchObject({
    role: 'tool',
    results: [{ content: expect.stringContaining('the run ended before this call did') as string }, {}],
  });
});

it('a conversation that waits for nothing is left alone', () => {
  const { session, events } = testKernel({ state: 'idle' });
  session.push({ role: 'assistant', text: 'Hello.', calls: [] });
  comeBack(session);
  expect(session.messages).toHaveLength(1);
  expect(events).toEqual([]);
});
