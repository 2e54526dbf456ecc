import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { readSecret } from '../../../src/cli/config/read-secret.ts';
import { EXIT } from '../../../src/contracts/exit-codes.ts';
import { ENDING_SIGNALS } from '../../../src/lib/ending-signals.ts';
import { capturedOutput } from '../../support/cli/captured-output.ts';

/** A terminal whose modes are noted, and into which `type` types. */
function scene() {
  const modes: boolean[] = [];
  const terminal = Object.assign(new EventEmitter(), {
    setRawMode: (raw: boolean) => modes.push(raw),
    resume: () => undefined,
    pause: () => undefined,
  });
  const output = capturedOutput();
  const signals = new EventEmitter();
  const raised: unknown[] = [];
  const raise = (signal: NodeJS.Signals) => raised.push([signal, modes.at(-1)]);
  const secret = readSecret(terminal, output, 'Key: ', { signals: signals as unknown as NodeJS.Process, raise });
  const type = (chunks: readonly (string | null)[]) =>
    chunks.forEach((chunk) => (chunk === null ? terminal.emit('end') : terminal.emit('data', Buffer.from(chunk))));
  return { secret, type, modes, output, terminal, signals, raised };
}

test.each<readonly [string, readonly (string | null)[], string | null]>([
  ['up to Enter', ['s3cret\r'], 's3cret'],
  ['up to a line feed', ['s3c', 'ret\nmore'], 's3cret'],
  ['that is pasted', ['\u001b[200~s3cret\u001b[201~', '\r'], 's3cret'],
  ['that is corrected', ['s3x\u007fcrey\bt\r'], 's3cret'],
  ['that ends with Ctrl-D', ['s3cret\u0004'], 's3cret'],
  ['that ends with the input', ['s3cret', null], 's3cret'],
  ['of which nothing is typed before Ctrl-D', ['\u0004'], null],
  ['of which nothing is typed before the end', [null], null],
])('a secret is read %s, and never shown', async (_what, typed, expected) => {
  const { secret, type, modes, output, terminal, signals } = scene();
  type(typed);
  expect(await secret).toBe(expected);
  expect(output.text).toEqual({ stdout: '', stderr: 'Key: \n' });
  expect([modes, terminal.listenerCount('data'), signals.eventNames()]).toEqual([[true, false], 0, []]);
});

test('Ctrl-C interrupts, and gives the terminal back', async () => {
  const { secret, type, modes } = scene();
  type(['s3c\u0003ret\r']);
  await expect(secret).rejects.toMatchObject({ code: 'interrupted', exitCode: EXIT.interrupted });
  expect(modes).toEqual([true, false]);
});

test.each(ENDING_SIGNALS)('at %s the terminal is as it was before the process ends by it', (signal) => {
  const { signals, raised } = scene();
  signals.emit(signal, signal);
  expect(raised).toEqual([[signal, false]]);
  expect(signals.eventNames()).toEqual([]);
});
