import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  prepareRuntimeRoot,
  recordedRuntimeRoot,
  removeRuntimeRoot,
  runtimeRecordPath,
} from '../../../src/cli/supervisor/runtime-directory.ts';

let root: string;
let place: { host: string; projectId: string; stateHome: string };
const made: string[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp('/tmp/frd-'));
  place = { host: join(root, 'host'), projectId: '0123456789abcdef', stateHome: join(root, 'state') };
  await mkdir(place.host, { mode: 0o700 });
});
afterEach(async () => {
  for (const path of [root, ...made.splice(0)]) await rm(path, { recursive: true, force: true });
});

async function prepare(xdg?: string): Promise<string> {
  const path = await prepareRuntimeRoot(place, xdg);
  made.push(path);
  return path;
}
const modeOf = async (path: string): Promise<string> => ((await lstat(path)).mode & 0o777).toString(8);

describe('below XDG_RUNTIME_DIR', () => {
  test('it is private, recorded, and the same the next time', async () => {
    const xdg = join(root, 'r');
    await mkdir(xdg, { mode: 0o700 });
    const path = await prepare(xdg);
    expect(path).toMatch(new RegExp(`^${xdg}/fluffy/[0-9a-f]{8}$`));
    expect([await modeOf(path), await modeOf(join(xdg, 'fluffy'))]).toEqual(['700', '700']);
    expect(await recordedRuntimeRoot(place.host)).toBe(path);
    expect(await prepare(xdg)).toBe(path);
    place = { ...place, stateHome: join(root, 'other') };
    expect(await prepare(xdg)).not.toBe(path);
  });

  test.each(['fluffy', 'fluffy/project'])('it is refused where others may use %s', async (which) => {
    const xdg = join(root, 'r');
    await mkdir(xdg, { mode: 0o700 });
    const path = await prepare(xdg);
    await chmod(which === 'fluffy' ? join(xdg, 'fluffy') : path, 0o750);
    await expect(prepare(xdg)).rejects.toMatchObject({ code: 'directory_unsafe', exitCode: 2 });
  });

  test('it is refused where a link has taken its place', async () => {
    const xdg = join(root, 'r');
    await mkdir(xdg, { mode: 0o700 });
    await mkdir(join(root, 'elsewhere'), { mode: 0o700 });
    await symlink(join(root, 'elsewhere'), join(xdg, 'fluffy'));
    await expect(prepare(xdg)).rejects.toMatchObject({ code: 'directory_unsafe' });
    expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
  });
});

describe('elsewhere, when XDG_RUNTIME_DIR', () => {
  test.each<[string, () => Promise<string | undefined>]>([
    ['is not set', () => Promise.resolve(undefined)],
    ['is empty', () => Promise.resolve('')],
    ['is relative', () => Promise.resolve('run')],
    ['is missing', () => Promise.resolve(join(root, 'missing'))],
    [
      'is open to others',
      async () => {
        await mkdir(join(root, 'open'));
        await chmod(join(root, 'open'), 0o755);
        return join(root, 'open');
      },
    ],
    [
      'is too long for a socket',
      async () => {
        const long = join(root, 'x'.repeat(40));
        await mkdir(long, { mode: 0o700 });
        return long;
      },
    ],
  ])('%s, it is a private directory with a name nobody can guess', async (_name, makeXdg) => {
    const xdg = await makeXdg();
    const path = await prepare(xdg);
    expect(path).toMatch(/^\/tmp\/fluffy-\w{6}$/);
    expect(await modeOf(path)).toBe('700');
    expect(await recordedRuntimeRoot(place.host)).toBe(path);
    // A killed supervisor's is taken over.
    expect(await prepare(xdg)).toBe(path);
  });

  test('one that was recorded and is gone is made again', async () => {
    const path = await prepare();
    await rm(path, { recursive: true });
    expect(await prepare()).not.toBe(path);
  });

  test('one that was recorded and is open to others now is refused', async () => {
    await chmod(await prepare(), 0o711);
    await expect(prepare()).rejects.toMatchObject({ code: 'directory_unsafe' });
  });

  test('at an orderly end nothing stays, and no link is followed', async () => {
    const path = await prepare();
    await writeFile(join(root, 'kept'), '');
    await symlink(root, join(path, 'link'));
    await removeRuntimeRoot(place.host, path);
    await expect(lstat(path)).rejects.toThrow('ENOENT');
    expect(await readdir(place.host)).toEqual([]);
    expect(await readdir(root)).toContain('kept');
  });
});

test.each(['', 'null', '{"version":2,"root":"/x"}', '{"version":1,"root":"x"}', '{"version":1,"root":"/x","more":1}'])(
  'a record that can’t be read is none: %s',
  async (text) => {
    await writeFile(runtimeRecordPath(place.host), text);
    expect(await recordedRuntimeRoot(place.host)).toBeNull();
  },
);
