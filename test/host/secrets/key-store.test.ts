import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  findEndpoint,
  findKey,
  providerEndpoints,
  secretServiceKeyring,
  setKey,
} from '../../../src/host/secrets/index.ts';
import type { Keyring, KeySources } from '../../../src/host/secrets/index.ts';

let home: string;
let keysDirectory: string;

const noKeyring: Keyring = {
  read: () => Promise.resolve({ kind: 'unavailable' }),
  write: () => Promise.resolve('unavailable'),
};

function memoryKeyring(entries: Record<string, string>): Keyring {
  return {
    read: (name) => {
      const key = entries[name];
      return Promise.resolve(key === undefined ? { kind: 'missing' } : { kind: 'found', key });
    },
    write: (name, key) => {
      entries[name] = key;
      return Promise.resolve('stored');
    },
  };
}

const anthropic = findEndpoint(providerEndpoints({}, {}), 'anthropic');
const sources = (fields: Partial<KeySources> = {}): KeySources => ({
  env: {},
  keysDirectory,
  keyring: noKeyring,
  ...fields,
});

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-keys-'));
  keysDirectory = join(home, 'keys');
});

afterEach(async () => {
  await rm(home, { recursive: true });
});

async function putKey(text = 'sk-file\n', mode = 0o600): Promise<string> {
  await mkdir(keysDirectory, { recursive: true, mode: 0o700 });
  const path = join(keysDirectory, 'anthropic');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe('findKey', () => {
  test('prefers the environment to the keyring to the file', async () => {
    await putKey();
    const keyring = memoryKeyring({ anthropic: 'sk-ring' });
    expect(await findKey(anthropic, sources({ keyring, env: { ANTHROPIC_API_KEY: 'sk-env' } }))).toMatchObject({
      key: 'sk-env',
      from: 'environment',
    });
    expect(await findKey(anthropic, sources({ keyring, env: { ANTHROPIC_API_KEY: '' } }))).toMatchObject({
      key: 'sk-ring',
      from: 'keyring',
    });
    expect(await findKey(anthropic, sources())).toMatchObject({ key: 'sk-file', from: 'file' });
  });

  test('a missing key is a usage error that says how to give one', async () => {
    await expect(findKey(anthropic, sources())).rejects.toMatchObject({
      code: 'provider_key_missing',
      exitCode: 2,
      fix: expect.stringContaining('fluffy config set-key anthropic') as unknown,
    });
  });

  test('an endpoint without a key reference wants none, whatever lies around', async () => {
    const ollama = findEndpoint(providerEndpoints({}, {}), 'ollama');
    expect(await findKey(ollama, sources({ env: { OPENAI_API_KEY: 'sk-other' } }))).toEqual({ kind: 'not-needed' });
  });

  test("a provider of the own configuration never gets a vendor's key", async () => {
    const endpoints = providerEndpoints(
      { mine: { kind: 'openai-compatible', base_url: 'https://x.org/v1', api_key_ref: 'env:MINE' } },
      {},
    );
    const env = { OPENAI_API_KEY: 'sk-openai', ANTHROPIC_API_KEY: 'sk-anthropic' };
    await expect(findKey(findEndpoint(endpoints, 'mine'), sources({ env }))).rejects.toMatchObject({
      code: 'provider_key_missing',
    });
  });

  test.each(['a b', 'sk-x\nX-Evil: 1', 'sk-\u0000', 'schlüssel', 'x'.repeat(5_000)])(
    'refuses the key %j without quoting it',
    async (key) => {
      const error: unknown = await findKey(anthropic, sources({ env: { ANTHROPIC_API_KEY: key } })).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: 'key_unusable', exitCode: 2 });
      expect(JSON.stringify(error)).not.toContain(JSON.stringify(key).slice(1, -1));
    },
  );
});

describe('a key file is refused', () => {
  test.each([0o644, 0o640, 0o604, 0o660, 0o602])('with mode %o', async (mode) => {
    await putKey('sk-file', mode);
    await expect(findKey(anthropic, sources())).rejects.toMatchObject({
      code: 'key_file_unsafe',
      exitCode: 2,
      fix: expect.stringContaining('chmod 600') as unknown,
    });
  });

  test('in a directory that others may write to', async () => {
    await putKey();
    await chmod(keysDirectory, 0o777);
    await expect(findKey(anthropic, sources())).rejects.toMatchObject({ code: 'key_file_unsafe' });
  });

  test('as a symbolic link', async () => {
    await mkdir(keysDirectory, { mode: 0o700 });
    await writeFile(join(home, 'elsewhere'), 'sk-x', { mode: 0o600 });
    await symlink(join(home, 'elsewhere'), join(keysDirectory, 'anthropic'));
    await expect(findKey(anthropic, sources())).rejects.toMatchObject({ code: 'key_file_unsafe' });
  });

  test('as a directory', async () => {
    await mkdir(join(keysDirectory, 'anthropic'), { recursive: true, mode: 0o700 });
    await expect(findKey(anthropic, sources())).rejects.toMatchObject({ code: 'key_file_unsafe' });
  });

  test.runIf(process.geteuid?.() === 0)('of another user', async () => {
    await chown(await putKey(), 12_345, 12_345);
    await expect(findKey(anthropic, sources())).rejects.toMatchObject({ code: 'key_file_unsafe' });
  });
});

describe('setKey', () => {
  test('writes a file that only its owner reads, in such a directory', async () => {
    expect(await setKey('anthropic', 'sk-new\n', sources())).toBe('file');
    const path = join(keysDirectory, 'anthropic');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(keysDirectory)).mode & 0o777).toBe(0o700);
    expect(await findKey(anthropic, sources())).toMatchObject({ key: 'sk-new' });
  });

  test('replaces a file with wrong permissions by a safe one', async () => {
    await putKey('sk-old', 0o644);
    await setKey('anthropic', 'sk-new', sources());
    expect(await findKey(anthropic, sources())).toMatchObject({ key: 'sk-new' });
  });

  test('prefers the keyring, and leaves no file then', async () => {
    const entries = {};
    expect(await setKey('anthropic', 'sk-new', sources({ keyring: memoryKeyring(entries) }))).toBe('keyring');
    expect(entries).toEqual({ anthropic: 'sk-new' });
    await expect(stat(keysDirectory)).rejects.toThrow();
  });

  test.each(['', '\n', 'two\nlines', 'with space'])('refuses %j and stores nothing', async (text) => {
    await expect(setKey('anthropic', text, sources())).rejects.toMatchObject({ code: 'key_unusable' });
    await expect(stat(keysDirectory)).rejects.toThrow();
  });
});

describe('the Secret Service keyring', () => {
  /** A stand-in for secret-tool that keeps keys in a file and records how it was called. */
  async function fakeTool(): Promise<{ readonly env: Record<string, string>; readonly calls: () => Promise<string> }> {
    const bin = join(home, 'bin');
    await mkdir(bin);
    const script = `#!/bin/sh
echo "$@" >> "${home}/calls"
case "$1" in
  store) cat > "${home}/stored" ;;
  lookup) cat "${home}/stored" 2>/dev/null || exit 1 ;;
esac
`;
    await writeFile(join(bin, 'secret-tool'), script, { mode: 0o755 });
    const env = { PATH: `${bin}:/usr/bin:/bin`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    return { env, calls: () => readFile(join(home, 'calls'), 'utf8') };
  }

  test('stores and reads a key, which never is an argument', async () => {
    const { env, calls } = await fakeTool();
    const keyring = secretServiceKeyring(env);
    expect(await keyring.read('anthropic')).toEqual({ kind: 'missing' });
    expect(await keyring.write('anthropic', 'sk-ring-canary')).toBe('stored');
    expect(await keyring.read('anthropic')).toEqual({ kind: 'found', key: 'sk-ring-canary' });
    expect(await calls()).not.toContain('canary');
  });

  test.each([
    ['no session bus', { PATH: '/usr/bin:/bin' }],
    ['no tool', { PATH: '/nowhere', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }],
  ])('is unavailable with %s', async (_what, env) => {
    const keyring = secretServiceKeyring(env);
    expect(await keyring.read('anthropic')).toEqual({ kind: 'unavailable' });
    expect(await keyring.write('anthropic', 'sk-x')).toBe('unavailable');
  });
});
