import { describe, expect, it } from 'vitest';
import type { MessageImage } from '../../../src/contracts/model/image.ts';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import { findInMessage, readFromMessage } from '../../../src/kernel/context/find-in-messages.ts';
import { withImages } from '../../../src/kernel/context/images.ts';
import { pinNote } from '../../../src/lib/text/pin-words.ts';
import { contextUse } from '../../../src/kernel/context/parts.ts';
import { sentMessages } from '../../../src/kernel/context/sent-messages.ts';
import { correctedRatio } from '../../../src/kernel/context/token-estimate.ts';
import { thoughtsOf } from '../../../src/kernel/context/thoughts-of.ts';
import { transcriptOf } from '../../../src/kernel/context/transcript.ts';

const call = (tool: string, given: string) => ({ call_id: 'c1', tool, arguments: given });
const ASKED: ModelMessage = { role: 'user', text: 'Find the Needle' };
const ANSWERED: ModelMessage = {
  role: 'assistant',
  text: 'I look',
  calls: [call('search.grep', '{"pattern":"needle","deep":{"list":[1,"x"]}}'), call('fs.read', 'no JSON: needle')],
};
const RESULT: ModelMessage = { role: 'tool', results: [{ call_id: 'c1', ok: true, content: 'a needle in hay' }] };

describe('a text is found', () => {
  it.each<readonly [string, ModelMessage, string, readonly string[]]>([
    ['in what a person said, whatever its case', ASKED, 'needle', ['user']],
    [
      'in the values of a call, and in arguments that are no JSON',
      ANSWERED,
      'needle',
      ['call search.grep', 'call fs.read'],
    ],
    ['in values within values', ANSWERED, 'x', ['call search.grep']],
    ['in a result', RESULT, 'HAY', ['result']],
    ['nowhere', ASKED, 'thread', []],
    ['not in the names of fields', ANSWERED, 'pattern', []],
  ])('%s', (_what, message, query, where) => {
    expect(findInMessage(message, 3, query).map(({ what }) => what)).toEqual(where);
  });

  it('in no call that is left out, and not in its result', () => {
    expect(findInMessage(ANSWERED, 3, 'needle', new Set(['c1']))).toEqual([]);
    expect(findInMessage(RESULT, 3, 'needle', new Set(['c1']))).toEqual([]);
    expect(findInMessage(RESULT, 3, 'needle', new Set(['c2']))).toHaveLength(1);
  });

  it('with some of what is around it', () => {
    const text = `${'a'.repeat(400)} needle ${'b'.repeat(400)}`;
    const [hit] = findInMessage({ role: 'user', text }, 3, 'needle');
    expect(hit?.excerpt).toMatch(/^…a{149} needle b+…?$/);
    expect(hit?.excerpt.length).toBeLessThan(310);
  });
});

it.each<readonly [string, ModelMessage, string | null]>([
  ['m3', ASKED, 'Find the Needle'],
  ['m3', ANSWERED, 'I look\n\n{"pattern":"needle","deep":{"list":[1,"x"]}}\n\nno JSON: needle'],
  ['m3.0', RESULT, 'a needle in hay'],
  ['m3.1', RESULT, null],
  ['third', ASKED, null],
])('the reference %s names its part of a message', (reference, message, text) => {
  expect(readFromMessage(message, reference)).toBe(text);
});

describe('an image', () => {
  const image = (name: string): MessageImage =>
    ({ reference: `sha256:${name}`, name, media_type: 'image/png' }) as MessageImage;
  const shown = (names: readonly string[], data: string | null, refused: readonly string[] = []) =>
    withImages([{ role: 'user', text: 'Look', images: names.map(image) }, ANSWERED], {
      read: () => data,
      refused: new Set(refused.map((name) => `sha256:${name}`)),
    });

  it('is sent with its data, and other messages stay as they are', () => {
    expect(shown(['a.png'], 'DATA')).toEqual([
      { role: 'user', text: 'Look', images: [{ ...image('a.png'), data: 'DATA' }] },
      ANSWERED,
    ]);
  });

  it.each<readonly [string, readonly ModelMessage[], string]>([
    [
      'a model that sees none',
      withImages([{ role: 'user', text: 'Look', images: [image('a')] }], null),
      'you cannot see images',
    ],
    [
      'a provider that refused it',
      shown(['a'], 'DATA', ['a']),
      'your provider could not read it, so you cannot see it',
    ],
    ['a session that no longer has it', shown(['a'], null), 'it is not kept any more'],
    ['a request that has no room', shown(['a'], 'x'.repeat(100_000_000)), 'removed to save room'],
  ])('is replaced by words for %s', (_what, [message], words) => {
    expect(message).toEqual({ role: 'user', text: `Look\n[image a: ${words}]` });
  });

  it('gives way to newer ones where a request holds no more', () => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`);
    const messages = names.map((name): ModelMessage => ({ role: 'user', text: '', images: [image(name)] }));
    const sent = withImages(messages, { read: () => 'D', refused: new Set() });
    const kept = sent.filter((message) => message.role === 'user' && message.images !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(sent.slice(-kept.length));
    expect(sent[0]).toMatchObject({ text: '\n[image n0: removed to save room]' });
  });
});

it('a conversation without a summary is sent as it is', () => {
  expect(sentMessages([ASKED, ANSWERED, RESULT], 0, null)).toEqual([ASKED, ANSWERED, RESULT]);
});

describe('the text for a summary', () => {
  const long: ModelMessage = { role: 'user', text: 'w '.repeat(900) };
  const NOTE: ModelMessage = { role: 'user', text: 'from the kernel', author: 'kernel' };

  it('has what was said and done, without notes of the kernel', () => {
    expect(transcriptOf([ASKED, NOTE, ANSWERED, RESULT], 3, 10_000)).toBe(
      [
        'USER: Find the Needle',
        'ASSISTANT: I look',
        'CALL search.grep {"pattern":"needle","deep":{"list":[1,"x"]}}',
        'CALL fs.read no JSON: needle',
        'RESULT m6.0: a needle in hay',
      ].join('\n'),
    );
  });

  it('shortens each part before it leaves out the oldest', () => {
    const shortened = transcriptOf([long, long], 0, 1_500);
    expect(shortened.match(/USER: /g)).toHaveLength(2);
    expect(shortened.length).toBeLessThanOrEqual(1_500);
    expect(transcriptOf([long, ASKED], 0, 60)).toMatch(/^\(the oldest part is left out\)\n.*USER: Find the Needle$/s);
  });
});

it.each([
  ['is kept where nothing was counted', 4, 1_000, 0, 4],
  ['is kept where nothing was sent', 4, 0, 1_000, 4],
  ['moves a quarter of its old weight towards what was counted', 4, 3_000, 1_000, 3.25],
])('the ratio of bytes and tokens %s', (_what, before, bytes, counted, expected) => {
  expect(correctedRatio(before, bytes, counted)).toBe(expected);
});

it('a pin counts as one, and other notes of the kernel as notes', () => {
  const messages: ModelMessage[] = [
    { role: 'user', text: pinNote('Never use classes.'), author: 'kernel' },
    { role: 'user', text: pinNote('I said it') },
  ];
  const { pins, notes, messages: said } = contextUse({ system: '', tools: [], messages, hasHead: false }, 1);
  expect([pins > 0, notes, said > 0]).toEqual([true, 0, true]);
});

it('the first message of a compacted conversation counts as its summary', () => {
  const messages: ModelMessage[] = [{ role: 'user', text: 'What was done', author: 'kernel' }, ASKED];
  const used = (hasHead: boolean) => contextUse({ system: '', tools: [], messages, hasHead }, 1);
  expect(used(false)).toMatchObject({ summary: 0, notes: expect.any(Number) as number });
  expect(used(true)).toMatchObject({ summary: used(false).notes, notes: 0, messages: used(false).messages });
});

describe('what a model thought', () => {
  const answer = (model: string, data: string): ModelMessage => ({
    role: 'assistant',
    text: '',
    calls: [],
    thoughts: { model, data },
  });

  it('goes back to this model alone', () => {
    const messages = [ASKED, answer('a/one', '1'), answer('b/two', '2')];
    expect(thoughtsOf('a/one', messages)).toEqual([ASKED, messages[1], { role: 'assistant', text: '', calls: [] }]);
  });

  it('is left out where it is too much, the oldest first', () => {
    const large = answer('a/one', 'x'.repeat(1024 * 1024));
    const sent = thoughtsOf('a/one', [large, large, large, large]);
    expect(sent.map((message) => 'thoughts' in message)).toEqual([false, true, true, true]);
  });
});
