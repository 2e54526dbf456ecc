import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model/model.ts';
import { thinkingParams } from '../../../src/providers/anthropic/thinking-params.ts';
import { toTurns } from '../../../src/providers/shared/conversation.ts';
import { request } from '../conformance.ts';

const asked = (change: Partial<ModelRequest>): ModelRequest => ({
  ...request,
  model: 'claude-sonnet-4-5',
  reasoning: true,
  effort: 'medium',
  max_output_tokens: 32_000,
  ...change,
});
const params = (change: Partial<ModelRequest>) => thinkingParams(asked(change), toTurns(request.messages), () => null);

describe('an effort', () => {
  const adaptive = { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } };
  const budget = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } });
  test.each([
    ['claude-3-7-sonnet-20250219', budget(10_000)],
    ['claude-sonnet-4-5-20250929', budget(10_000)],
    ['claude-opus-4-1', budget(10_000)],
    ['claude-opus-4-6', adaptive],
    ['claude-opus-4-8', adaptive],
    ['claude-sonnet-5', adaptive],
    ['claude-fable-5-1', adaptive],
  ])('of %s', (model, expected) => {
    expect(params({ model })).toEqual(expected);
  });

  test('leaves a quarter of the answer to what is said', () => {
    expect(params({ effort: 'high', max_output_tokens: 16_000 })).toEqual(budget(12_000));
  });

  test.each([
    ['nobody chose one', { effort: undefined }],
    ['the model does not think', { reasoning: false }],
    ['the answer has no room for it', { max_output_tokens: 1_200 }],
  ])('is not sent where %s', (_why, change) => {
    expect(params(change as Partial<ModelRequest>)).toEqual({});
  });
});

describe('in the middle of calls', () => {
  const messages: ModelRequest['messages'] = [
    { role: 'user', text: 'Start.' },
    { role: 'assistant', text: '', calls: [{ call_id: 'c1', tool: 'fs.read', arguments: '{}' }] },
    { role: 'tool', results: [{ call_id: 'c1', ok: true, content: 'a' }] },
  ];
  const during = (thought: boolean) =>
    thinkingParams(asked({}), toTurns(messages), () =>
      thought ? [{ kind: 'thinking', block: { type: 'thinking', thinking: 'Hm.', signature: 's' } }] : null,
    );

  test('a budget is sent where the thought before them is there', () => {
    expect(during(true)).toHaveProperty('thinking');
  });

  test('and not where it is gone: the service would refuse the request', () => {
    expect(during(false)).toEqual({});
  });

  test('the next message of the user begins again', () => {
    const turns = toTurns([
      ...messages,
      { role: 'assistant', text: 'So.', calls: [] },
      { role: 'user', text: 'Go on.' },
    ]);
    expect(thinkingParams(asked({}), turns, () => null)).toHaveProperty('thinking');
  });
});
