import { expect, it } from 'vitest';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import { watchCounts } from '../../../src/kernel/sandbox/watch-counts.ts';
import type { SandboxServices } from '../../../src/kernel/sandbox/sandbox-services.ts';

type Parts = Parameters<typeof watchCounts>[0];

/** What a run leaves in the file, look by look; null: nothing, `!`: no file at all but a link. */
async function reported(files: readonly (string | null)[]): Promise<number[][]> {
  const over = new AbortController();
  const seen: number[][] = [];
  let look = -1;
  const services = {
    clock: {
      sleep: () => {
        look += 1;
        if (look >= files.length) over.abort();
        return Promise.resolve();
      },
    },
    directories: {
      readReport: (_: SandboxId, name: string) => {
        const text = files[look] ?? null;
        if (name !== 'counts' || text === null) return Promise.resolve({ kind: 'missing' });
        if (text === '!') return Promise.resolve({ kind: 'not-a-file' });
        return Promise.resolve({ kind: 'read', bytes: Buffer.from(text), truncated: false });
      },
    },
  } as unknown as Pick<SandboxServices, 'clock' | 'directories'> as Parts;
  await watchCounts(
    services,
    'x_1' as SandboxId,
    { name: 'counts', onCounts: (...each) => seen.push(each) },
    over.signal,
  );
  return seen;
}

it('reports counts once, when they have changed', async () => {
  expect(await reported([null, '1 0\n', '1 0\n', '7 2\n'])).toEqual([
    [1, 0],
    [7, 2],
  ]);
});

it.each(['', '1', '1 0', '0 0\n', '-1 0\n', '1 0\n2 0\n', '\x1b[2J1 0\n', '99999999 0\n', 'approved\n', '!'])(
  'reports nothing of %j, which code under test may have written',
  async (text) => {
    expect(await reported([text])).toEqual([]);
  },
);
