import { describe, expect, it } from 'vitest';
import { showCall } from '../../../src/kernel/serve/show-call.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

function scene() {
  const { services, session } = testKernel({});
  for (const [text, output] of [
    ['first', 'one'],
    [`second ${TOKEN}`, 'two'],
  ] as const) {
    session.push({ role: 'assistant', text: '', calls: [{ call_id: 'c', tool: 'fs.read', arguments: text }] });
    session.push({ role: 'tool', results: [{ call_id: 'c', ok: true, content: output }] });
  }
  session.push({
    role: 'assistant',
    text: '',
    calls: [{ call_id: 'c', tool: 'fs.read', arguments: 'still going on' }],
  });
  return (call_id: string, later: number) => showCall(services, session, { call_id, later }).call;
}

describe('a call of the conversation', () => {
  it('is found by its id and how many came later', () => {
    const show = scene();
    expect(show('c', 1)).toEqual({ input: 'first', output: 'one' });
    expect(show('c', 0)?.output).toBe('two');
    expect(show('c', 2)).toBeNull();
    expect(show('other', 0)).toBeNull();
  });

  it('is shown without secrets', () => {
    const input = scene()('c', 0)?.input;
    expect(input).toContain('second');
    expect(input).not.toContain(TOKEN);
  });
});
