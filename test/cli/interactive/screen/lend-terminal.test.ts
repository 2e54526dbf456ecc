import { expect, it } from 'vitest';
import { lendTerminal } from '../../../../src/cli/interactive/screen/lend-terminal.ts';
import { safeLine } from '../../../../src/tui/store/safe-text.ts';
import { ViewStore } from '../../../../src/tui/store/view-store.ts';
import { freshView } from '../../../tui/event-stream.ts';

function scene() {
  const log: string[] = [];
  const store = new ViewStore(freshView(), { nowMs: () => 0, after: (_, callback) => callback() });
  store.subscribe(() => log.push('drawn'));
  const lend = lendTerminal(
    Promise.resolve({
      store,
      suspend: async (use: () => Promise<void>) => {
        log.push('suspended');
        await use().finally(() => log.push('resumed'));
      },
      input: { pause: () => log.push('input paused') as never },
      reflow: { setAway: (away: boolean) => log.push(away ? 'away' : 'back') },
    }),
  );
  return { log, store, lend };
}

it('the other program has the terminal alone until it ends, and what happened meanwhile is drawn then', async () => {
  const { log, store, lend } = scene();
  const program = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const lent = lend(() => {
    started.resolve();
    return program.promise;
  });
  await started.promise;
  store.dispatch({ kind: 'hint', text: safeLine('meanwhile') });
  expect(log).toEqual(['away', 'suspended', 'input paused']);
  program.resolve('saved');
  expect(await lent).toBe('saved');
  expect(log.slice(3)).toEqual(['resumed', 'back', 'drawn']);
  expect(store.published().hint).toBe('meanwhile');
});

it('a program that fails gives the terminal back too, and the next one waits for it', async () => {
  const { log, lend } = scene();
  const first = lend(() => Promise.reject(new Error('gone')));
  const second = lend(() => Promise.resolve('next'));
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe('next');
  expect(log.filter((line) => line !== 'drawn')).toEqual(
    Array.from({ length: 2 }, () => ['away', 'suspended', 'input paused', 'resumed', 'back']).flat(),
  );
});
