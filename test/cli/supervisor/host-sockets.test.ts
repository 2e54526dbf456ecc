import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostSockets } from '../../../src/cli/supervisor/host-sockets.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import { providerGrantSchema } from '../../../src/contracts/model/provider-config.ts';

const env = { ANTHROPIC_API_KEY: 'sk-anthropic', OPENAI_API_KEY: 'sk-openai', LAB_KEY: 'sk-lab' };
const settings = {
  install_scripts: [],
  dependency_mounts: [],
  providers: {
    lab: { kind: 'openai-compatible' as const, base_url: 'http://127.0.0.1:8000/v1', api_key_ref: 'env:LAB_KEY' },
  },
  network_groups: { registry: ['packages.example:443'] },
};

let home: string;
let directory: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fl-'));
  directory = join(home, 'sockets');
  await mkdir(directory);
});

afterEach(async () => {
  await rm(home, { recursive: true });
});

const sockets = () => hostSockets(userDirs({ HOME: home }), settings, env, () => undefined);

async function fetchGrant() {
  const socket = connect({ path: join(directory, 'secret.sock') });
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return providerGrantSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}

describe('the sockets of a provider', () => {
  test.each([
    ['provider:anthropic', null, 'sk-anthropic', 'https://api.anthropic.com', 'messages'],
    ['provider:openai', null, 'sk-openai', 'https://api.openai.com/v1', 'responses'],
    ['provider:openai', 'lab', 'sk-lab', 'http://127.0.0.1:8000/v1', 'chat-completions'],
    ['provider:openai', 'ollama', null, 'http://127.0.0.1:11434/v1', 'chat-completions'],
  ] as const)('%s for %s hand over its own key and endpoint', async (program, provider, key, url, wire) => {
    const opened = await sockets().openSockets({ program, directory, networkGroups: [], provider });
    expect(await fetchGrant()).toMatchObject({ api_key: key, base_url: url, wire });
    await opened.close();
    expect(await readdir(directory)).toEqual([]);
  });

  test('hand over the path of --base-url, to that provider alone', async () => {
    const asked = { ...settings, base_urls: { lab: 'http://127.0.0.1:8000/v2/' } };
    const { openSockets, providerHosts } = hostSockets(userDirs({ HOME: home }), asked, env, () => undefined);
    for (const [provider, url] of [
      ['lab', 'http://127.0.0.1:8000/v2'],
      ['openai', 'https://api.openai.com/v1'],
    ] as const) {
      const opened = await openSockets({ program: 'provider:openai', directory, networkGroups: [], provider });
      expect(await fetchGrant()).toMatchObject({ base_url: url });
      await opened.close();
    }
    expect(providerHosts['lab']).toEqual(['127.0.0.1:8000']);
  });

  test.each([
    ['another host', { lab: 'http://127.0.0.2:8000/v1' }, 'base_url_refused'],
    ['another port', { anthropic: 'https://api.anthropic.com:8443' }, 'base_url_refused'],
    ['a provider that nobody knows', { unheard: 'https://a.example' }, 'unknown_provider'],
  ])('do not open for a --base-url with %s', (_name, base_urls, code) => {
    expect(() => hostSockets(userDirs({ HOME: home }), { ...settings, base_urls }, env, () => undefined)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test.each([
    ['provider:openai', 'anthropic'],
    ['provider:anthropic', 'lab'],
    ['provider:anthropic', 'openai'],
    ['provider:openai', 'unheard-of'],
    ['provider:openai', 'constructor'],
  ] as const)('%s is not given what is for %s', async (program, provider) => {
    await expect(sockets().openSockets({ program, directory, networkGroups: [], provider })).rejects.toThrow();
    expect(await readdir(directory)).toEqual([]);
  });
});

test('a networked test gets hosts of groups that the host knows, and no key', async () => {
  const opened = await sockets().openSockets({
    program: 'test',
    directory,
    networkGroups: ['registry'],
    provider: null,
  });
  expect(await readdir(directory)).toEqual(['egress.sock']);
  await opened.close();
  await expect(
    sockets().openSockets({ program: 'test', directory, networkGroups: ['everything'], provider: null }),
  ).rejects.toThrow(/everything/);
  await expect(
    sockets().openSockets({ program: 'test', directory, networkGroups: ['constructor'], provider: null }),
  ).rejects.toThrow();
});
