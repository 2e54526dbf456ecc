import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostSockets } from '../../../../src/cli/supervisor/host/host-sockets.ts';
import { userDirs } from '../../../../src/contracts/host-layout.ts';
import { providerGrantSchema } from '../../../../src/contracts/model/provider-config.ts';

const HOSTS = join(import.meta.dirname, '../../../../sandbox-images/hosts');
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

const sockets = () => hostSockets(userDirs({ HOME: home }), settings, env, () => undefined, HOSTS);

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
    const { openSockets, providerHosts } = hostSockets(userDirs({ HOME: home }), asked, env, () => undefined, HOSTS);
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
    expect(() =>
      hostSockets(userDirs({ HOME: home }), { ...settings, base_urls }, env, () => undefined, HOSTS),
    ).toThrow(expect.objectContaining({ code }));
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

describe('the network of a test run', () => {
  const own = {
    ...settings,
    network_groups: { ...settings.network_groups, staging: ['api.staging.example:443', 'localhost:5432'] },
    services: { redis: { command: ['redis-server'], port: 6379, environment: {}, writable: [] } },
    test_groups: ['staging'],
  };
  const open = (networkGroups: readonly string[]) =>
    hostSockets(userDirs({ HOME: home }), own, env, () => undefined, HOSTS).openSockets({
      program: 'network',
      directory,
      networkGroups,
      provider: null,
    });

  test('has the hosts of its groups and the names of the services, and no key', async () => {
    const opened = await open(['staging']);
    expect((await readdir(directory)).sort()).toEqual(['egress.sock', 'hosts', 'routes.json']);
    expect(JSON.parse(await readFile(join(directory, 'routes.json'), 'utf8'))).toEqual({
      routes: [
        { address: '127.1.0.1', port: 443, target: 'api.staging.example:443' },
        { address: '127.0.0.1', port: 5432, target: 'localhost:5432' },
      ],
      proxy: false,
    });
    const hosts = await readFile(join(directory, 'hosts'), 'utf8');
    expect(hosts).toContain(await readFile(HOSTS, 'utf8'));
    expect(hosts.split('\n')).toEqual(expect.arrayContaining(['127.0.0.1\tredis', '127.1.0.1\tapi.staging.example']));
    await opened.close();
  });

  test.each([
    ['a group that there is not', 'everything'],
    ['a group of other projects', 'registry'],
    ['a name of the language', 'constructor'],
  ])('does not open with %s', async (_name, group) => {
    await expect(open([group])).rejects.toThrow(group);
    expect(await readdir(directory)).toEqual([]);
  });
});
