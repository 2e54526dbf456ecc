import { expect, it } from 'vitest';
import { checkSpace } from '../../../src/cli/doctor/check-space.ts';

const MIB = 1024 * 1024;
const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });

it.each([
  [256 * MIB, 'ok', '256 MiB are free at /home/ada/.local/state/fluffy'],
  [256 * MIB - 1, 'error', 'The disk of /home/ada/.local/state/fluffy is full'],
])('%i free bytes are %s', async (bytes, level, what) => {
  expect(await checkSpace('/home/ada/.local/state/fluffy', () => Promise.resolve(bytes))).toMatchObject({
    level,
    what,
  });
});

it('before the first start the nearest directory above counts', async () => {
  const free = (directory: string) => (directory === '/home' ? Promise.resolve(1) : Promise.reject(missing));
  expect(await checkSpace('/home/ada/state', free)).toMatchObject({ level: 'error' });
});

it.each([missing, new Error('refused')])('what cannot be found out is a warning (%s)', async (error) => {
  expect(await checkSpace('/home/ada', () => Promise.reject(error))).toMatchObject({ level: 'warn' });
});
