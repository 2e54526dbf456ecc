import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import { requestBody } from '../../../src/providers/anthropic/request-body.ts';
import { toolNames } from '../../../src/providers/shared/tool-names.ts';
import { request } from '../conformance.ts';

const body = (messages: readonly ModelMessage[], change = {}) =>
  requestBody({ ...request, messages: [...messages], ...change }, toolNames(request.tools), {
    recall: () => null,
  });

const cache = { cache_control: { type: 'ephemeral' } };

describe('the Messages request', () => {
  test('is exactly this', () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Start.' },
      {
        role: 'assistant',
        text: 'Reading. \n',
        calls: [{ call_id: 'c1', tool: 'fs.read', arguments: '{"path":"a"}' }],
      },
      { role: 'tool', results: [{ call_id: 'c1', ok: false, content: '' }] },
      { role: 'user', text: 'And?' },
    ];
    const readTool = { name: 'fs_read', description: 'Reads', input_schema: { type: 'object' } };
    const change = { tools: [{ name: 'fs.read', description: 'Reads', input_schema: { type: 'object' } }] };
    expect(body(messages, change)).toEqual({
      model: 'scripted-1',
      max_tokens: 1_000,
      stream: true,
      system: [{ type: 'text', text: 'You write tests first.', ...cache }],
      tools: [{ ...readTool, ...cache }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Start.', ...cache }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'c1', name: 'fs_read', input: { path: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '', is_error: true },
            { type: 'text', text: 'And?', ...cache },
          ],
        },
      ],
    });
  });

  test('never has more cache markers than the service takes, however long the history', () => {
    const messages = Array.from({ length: 30 }, (_, index): ModelMessage[] => [
      { role: 'user', text: `question ${index}` },
      { role: 'assistant', text: `answer ${index}`, calls: [] },
    ]).flat();
    const text = JSON.stringify(body([...messages, { role: 'user', text: 'last' }]));
    expect(text.match(/cache_control/g)).toHaveLength(4);
  });

  test('leaves out what is empty', () => {
    const empty = body([{ role: 'user', text: 'x' }], { system: '  ', tools: [] });
    expect(Object.keys(empty)).toEqual(['model', 'max_tokens', 'stream', 'messages']);
  });
});
