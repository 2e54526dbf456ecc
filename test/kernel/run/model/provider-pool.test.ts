import { expect, it } from 'vitest';
import type { SessionId } from '../../../../src/contracts/ids.ts';
import type { ProviderSandbox } from '../../../../src/contracts/ports/sandboxes.ts';
import { ProviderPool } from '../../../../src/kernel/run/model/provider-pool.ts';

it('a program that is over is started again, once for all that wait for it', async () => {
  const started: { over: boolean; readonly name: string }[] = [];
  const provider = (_session: SessionId, name: string): Promise<ProviderSandbox> => {
    const made = { over: false, name };
    started.push(made);
    return Promise.resolve(made as unknown as ProviderSandbox);
  };
  const pool = new ProviderPool({ provider }, 's_1' as SessionId);
  const first = await pool.of('openai/a');
  expect(await pool.of('openai/b')).toBe(first);
  Object.assign(started[0] ?? {}, { over: true });
  const [second, third] = await Promise.all([pool.of('openai/a'), pool.of('openai/b')]);
  expect([second === first, third === second]).toEqual([false, true]);
  expect(started.map(({ name }) => name)).toEqual(['openai', 'openai']);
});
