import { expect, it } from 'vitest';
import { SetUpView } from '../../../src/tui/components/set-up-view.tsx';
import { PLAIN_LOOK } from '../../../src/tui/components/look.ts';
import { SetUpSteps } from '../../../src/tui/setup/set-up-steps.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { drawInTerminal } from '../fake-terminal.ts';

const ENTRIES = ['anthropic', 'openai'].map((id) => ({ id, label: safeLine(id), aside: safeLine(''), preview: [] }));

it('asks one question after the other, and shows nothing of a key', async () => {
  const steps = new SetUpSteps();
  const terminal = drawInTerminal(<SetUpView steps={steps} look={PLAIN_LOOK} />);
  await terminal.settled();
  const chosen = steps.choose('Who is to answer?', ENTRIES);
  await expect.poll(() => terminal.written()).toContain('Who is to answer?');
  await terminal.type('open');
  await terminal.type('\r');
  expect(await chosen).toBe('openai');
  const key = steps.secret('Key of OpenAI:');
  await expect.poll(() => terminal.written()).toContain('Key of OpenAI:');
  await terminal.type('sk-secret');
  await expect.poll(() => terminal.written()).toContain('•••••••••');
  await terminal.type('\r');
  expect(await key).toBe('sk-secret');
  expect(terminal.written()).not.toContain('secret');
  steps.say('good', 'stored');
  await expect.poll(() => terminal.written()).toContain('✓ stored');
});

it('leaves a question by Esc', async () => {
  const steps = new SetUpSteps();
  const terminal = drawInTerminal(<SetUpView steps={steps} look={PLAIN_LOOK} />);
  await terminal.settled();
  const chosen = steps.choose('Who?', ENTRIES);
  await expect.poll(() => terminal.written()).toContain('Who?');
  await terminal.type('\x1b');
  expect(await chosen).toBeNull();
});

it('takes text and Enter that come in one piece for an answer', async () => {
  const steps = new SetUpSteps();
  const terminal = drawInTerminal(<SetUpView steps={steps} look={PLAIN_LOOK} />);
  await terminal.settled();
  const key = steps.secret('Key:');
  await expect.poll(() => terminal.written()).toContain('Key:');
  await terminal.type('sk-pasted\r');
  expect(await key).toBe('sk-pasted');
  const address = steps.line('Base URL:');
  await expect.poll(() => terminal.written()).toContain('Base URL:');
  await terminal.type('https://m/v1');
  await expect.poll(() => terminal.written()).toContain('https://m/v1');
  await terminal.type('\r');
  expect(await address).toBe('https://m/v1');
});

it('takes Ctrl-C before there is a question for leaving it', async () => {
  const steps = new SetUpSteps();
  const terminal = drawInTerminal(<SetUpView steps={steps} look={PLAIN_LOOK} />);
  await terminal.settled();
  await terminal.type('down\x03');
  await terminal.type('\x03');
  expect(await steps.choose('Who?', ENTRIES)).toBeNull();
});
