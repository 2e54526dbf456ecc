import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../../src/contracts/model/model.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { pin } from '../../../src/kernel/session/pins.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { countingModel } from '../../support/kernel/counting-model.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const READS = 12;
const PATHS = Array.from({ length: READS }, (_, index) => `lib/${index}.js`);
const FILES = Object.fromEntries(PATHS.map((path) => [path, 'some text of a file\n'.repeat(100)]));

/** A model that reads files one by one, then answers, at a service with this window. */
function scene({ serves, reads = 0, ...options }: TestKernelOptions & { serves: number; reads?: number }) {
  const kernel = testKernel({ state: 'planning', files: FILES, ...options });
  const paths = PATHS.slice(0, reads);
  const sent: ModelRequest[] = [];
  const model = countingModel({
    windowTokens: serves,
    answer: (request) => {
      sent.push(request);
      const path = paths.shift();
      return path === undefined ? modelAnswer('Done.') : modelAnswer('', [{ tool: 'fs.read', input: { path } }]);
    },
    summary: () => modelAnswer('## Goal\nTHE-SUMMARY'),
  });
  kernel.sandboxes.chat = model.chat;
  addUserMessage(kernel.session, { text: 'Read all of it.' });
  const run = () => runSession(kernel.services, kernel.session, new AbortController().signal);
  return { ...kernel, model, sent, run };
}

const statuses = ({ eventsOf }: ReturnType<typeof scene>) => eventsOf('session.finished').map(({ status }) => status);
const summaries = ({ model }: ReturnType<typeof scene>) =>
  model.requests.filter(({ kind }) => kind === 'summary').length;

describe('a small window', () => {
  it.each([16_000, 20_000, 24_000, 28_000])(
    'of %i tokens that nobody knew is found, and few requests are for summaries',
    async (serves) => {
      const kernel = scene({ serves, reads: READS });
      await kernel.run();
      expect(statuses(kernel)).toEqual(['done']);
      expect(summaries(kernel)).toBeLessThanOrEqual(2);
    },
  );

  it('of 16,000 tokens that is known has old results replaced before there is a summary', async () => {
    const kernel = scene({ serves: 200_000, reads: READS, options: { window_tokens: 16_000 } });
    await kernel.run();
    expect(summaries(kernel)).toBeLessThanOrEqual(1);
  });

  it('that system text and tools fill alone costs no summaries', async () => {
    const kernel = scene({ serves: 200_000, reads: READS, options: { window_tokens: 4_000 } });
    await kernel.run();
    expect(statuses(kernel)).toEqual(['done']);
    expect(summaries(kernel)).toBe(0);
  });
});

describe('a request that is too long', () => {
  it.each(['', 'word '.repeat(40_000)])(
    'because of what every session sends, also after the rest of it was shortened, is no reason for a new session',
    async (text) => {
      const kernel = scene({
        serves: 1_000,
        options: { model: 'anthropic/small' },
        kernelOptions: { provider_hosts: { anthropic: ['api.anthropic.com:443'] } },
      });
      addUserMessage(kernel.session, { text: `Read it. ${text}` });
      await kernel.run();
      expect(kernel.eventsOf('error').map(({ fix }) => fix)).toEqual([
        expect.stringMatching(/^Use another model that takes more/),
      ]);
    },
  );

  it('only because of the answer that it asks for is sent again for a shorter one', async () => {
    const kernel = scene({ serves: 20_000 });
    await kernel.run();
    expect(kernel.model.requests.map(({ kind, refused }) => [kind, refused])).toEqual([
      ['work', true],
      ['work', false],
    ]);
  });

  it('because of a pin is sent with a part of it, which says how to read the rest', async () => {
    const kernel = scene({ serves: 32_000, options: { window_tokens: 32_000 } });
    pin(kernel.session, `FIRST ${'important '.repeat(20_000)} LAST`);
    await kernel.run();
    expect(statuses(kernel)).toEqual(['done']);
    const text = JSON.stringify(kernel.sent.at(-1)?.messages);
    expect(text).toMatch(/FIRST important/);
    expect(text).toMatch(/important  LAST/);
    expect(text).toMatch(/output\.read with reference m1\.0 and offset \d+ shows them/);
  });

  it('because of a call of another model is sent without it', async () => {
    const kernel = scene({ serves: 32_000, options: { window_tokens: 32_000 } });
    const wrote: ModelMessage = {
      role: 'assistant',
      text: '',
      calls: [{ call_id: 'w', tool: 'fs.write', arguments: JSON.stringify({ content: 'word '.repeat(40_000) }) }],
    };
    kernel.session.push(wrote);
    kernel.session.push({ role: 'tool', results: [{ call_id: 'w', ok: true, content: 'written' }] });
    await kernel.run();
    expect(statuses(kernel)).toEqual(['done']);
    const text = JSON.stringify(kernel.sent.at(-1)?.messages);
    expect(text).toContain('THE-SUMMARY');
    expect(text).toContain('Read all of it.');
  });
});
