import { expect, it } from 'vitest';
import { feedbackText } from '../../../../src/cli/interactive/feedback/feedback-text.ts';
import type { FeedbackFacts } from '../../../../src/cli/interactive/feedback/feedback-text.ts';
import type { EventBody } from '../../../../src/contracts/session/events.ts';
import { stream } from '../../../tui/event-stream.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

function textOf(facts: Partial<FeedbackFacts>, events: readonly EventBody[] = []): string {
  return feedbackText({
    said: '',
    version: '1.2.3',
    machine: [['system', 'Linux 6.1 x64']],
    session: { id: 's_1', events: [...stream(events)] },
    doctor: { paths: {}, engine: null, images: [], checks: [] },
    configured: [],
    log: '',
    home: '/home/ada',
    ...facts,
  });
}

it('says what a maintainer asks first', () => {
  const text = textOf({ said: 'It hangs.', configured: ['model', 'keys'] }, [
    {
      type: 'tool.finished',
      call_id: 'c',
      tool: 'test.run',
      ok: false,
      summary: 'secret words of the project',
      duration_ms: 12,
      error: { code: 'timed_out', message: 'words of the project', retryable: true },
    },
    { type: 'error', level: 'error', code: 'x_failed', what: 'It failed', why: 'no room', fix: 'make some' },
  ]);
  for (const part of [
    'fluffy 1.2.3',
    'It hangs.',
    'Linux 6.1 x64',
    'model, keys',
    's_1',
    'test.run failed: timed_out, 12 ms',
    'error x_failed: It failed: no room',
    'A session can start here.',
  ])
    expect(text).toContain(part);
});

it.each<[string, EventBody]>([
  ['a message', { type: 'message.user', text: 'the plan' }],
  ['an answer', { type: 'text.done', text: 'the plan' }],
  ['a thought', { type: 'thinking.done', text: 'the plan', duration_ms: 1 }],
  ['a call', { type: 'tool.started', call_id: 'c', tool: 'fs.read', input: { path: 'the plan' }, summary: 'the plan' }],
  [
    'what a call came to',
    {
      type: 'tool.finished',
      call_id: 'c',
      tool: 'fs.read',
      ok: false,
      summary: 'the plan',
      duration_ms: 1,
      output: 'the plan',
      diff: 'the plan',
      error: { code: 'x', message: 'the plan', retryable: false },
    },
  ],
])('has nothing of %s', (_, event) => {
  expect(textOf({}, [event])).not.toContain('the plan');
});

it('masks secrets and the home directory wherever they are', () => {
  const text = textOf({ said: `with ${TOKEN}`, log: `read /home/ada/.config; ${TOKEN}` });
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain('/home/ada');
  expect(text).toContain('~/.config');
});

it('keeps a log that looks like Markdown in its block', () => {
  expect(textOf({ log: '```\n# Feedback' })).toContain('````\n```\n# Feedback\n````');
});

it('asks for words where none were given', () => {
  expect(textOf({})).toMatch(/Write here what you did/);
});
