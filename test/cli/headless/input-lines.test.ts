import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readInputLines } from '../../../src/cli/headless/input-lines.ts';

const MIB = 1024 * 1024;

async function read(...lines: readonly string[]) {
  const skipped: string[] = [];
  const read: unknown[] = [];
  const stdin = Readable.from(lines.map((line) => `${line}\n`));
  for await (const line of readInputLines(stdin, (why) => skipped.push(why))) read.push(line);
  return { read, skipped };
}

const message = (text: string) => JSON.stringify({ type: 'message', text });

it('a line that is none of those known is skipped, with its number', async () => {
  expect(await read(message('a'), '', '{"type":"huh"}', '{"type":"interrupt"}')).toEqual({
    read: [{ type: 'message', text: 'a' }, { type: 'interrupt' }],
    skipped: [expect.stringMatching(/^line 3 /) as string],
  });
});

it('a line that no message to the kernel can hold is a mistake of whoever wrote it', async () => {
  expect((await read(message('a'.repeat(7 * MIB)))).read).toHaveLength(1);
  await expect(read(message('a'.repeat(8 * MIB)))).rejects.toMatchObject({
    code: 'usage',
    exitCode: 2,
    why: 'line 1 of the input is longer than 8 MiB',
  });
});
