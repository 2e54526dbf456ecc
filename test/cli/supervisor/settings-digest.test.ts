import { expect, test } from 'vitest';
import { baseUrlsOf } from '../../../src/cli/base-urls.ts';
import {
  DEFAULT_HOST_SETTINGS,
  differingParts,
  settingsDigest,
  settingsParts,
} from '../../../src/cli/supervisor/supervisor-options.ts';
import type { HostSettings } from '../../../src/cli/supervisor/supervisor-options.ts';

const settings: HostSettings = {
  ...DEFAULT_HOST_SETTINGS,
  providers: {
    own: { kind: 'openai-compatible', base_url: 'https://models.example/v1', api_key_ref: 'env:OWN_KEY' },
  },
};
const env = { HOME: '/home/me', ANTHROPIC_API_KEY: 'key', OWN_KEY: 'own', TERM: 'xterm' };
const digest = settingsDigest('1', settings, env);

test('the same way of running has the same digest', () => {
  expect(settingsDigest('1', { ...settings }, { ...env, TERM: 'dumb', PWD: '/x' })).toBe(digest);
});

test('a replay has no endpoint, and a run without --base-url asks for nothing else', () => {
  expect(baseUrlsOf('replay/turns.jsonl', 'https://models.example/v2')).toEqual({});
  expect(baseUrlsOf('own/m', undefined)).toEqual({});
});

test('what npm run sets by itself means nothing', () => {
  const own = { npm_config_userconfig: '/home/me/.npmrc', npm_config_user_agent: 'npm', npm_config_cache: '/c' };
  expect(settingsDigest('1', settings, { ...env, ...own })).toBe(digest);
});

test('it does not tell the keys', () => {
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['program version', settingsDigest('2', settings, env)],
  ['key', settingsDigest('1', settings, { ...env, ANTHROPIC_API_KEY: 'other' })],
  ['key that the configuration refers to', settingsDigest('1', settings, { ...env, OWN_KEY: 'other' })],
  ['missing key', settingsDigest('1', settings, { ...env, ANTHROPIC_API_KEY: undefined })],
  ['endpoint', settingsDigest('1', settings, { ...env, FLUFFY_ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })],
  [
    'path of an endpoint',
    settingsDigest('1', { ...settings, base_urls: baseUrlsOf('own/m', 'https://models.example/v2') }, env),
  ],
  ['engine', settingsDigest('1', settings, { ...env, DOCKER_HOST: 'unix:///x' })],
  ['registry of npm', settingsDigest('1', settings, { ...env, npm_config_registry: 'http://localhost:1' })],
  ['registry of a scope', settingsDigest('1', settings, { ...env, 'npm_config_@a:registry': 'http://localhost:1' })],
  ['configuration of npm', settingsDigest('1', settings, { ...env, NPM_CONFIG_USERCONFIG: '/other' })],
  ['index of pip', settingsDigest('1', settings, { ...env, PIP_INDEX_URL: 'http://localhost:1' })],
  ['configuration', settingsDigest('1', DEFAULT_HOST_SETTINGS, env)],
])('another %s has another', (_name, other) => {
  expect(other).not.toBe(digest);
});

test.each([
  [settingsParts('2', settings, env), ['the version of fluffy']],
  [settingsParts('1', settings, { ...env, ANTHROPIC_API_KEY: 'other', TERM: 'dumb' }), ['$ANTHROPIC_API_KEY']],
  [settingsParts('1', { ...settings, dependency_mounts: ['/x'] }, env), ['dependency_mounts in config.yaml']],
  [settingsParts('1', { ...settings, kernel_memory_bytes: 1 }, env), ['kernel_memory_bytes in config.yaml']],
])('what differs is named', (other, names) => {
  expect(differingParts(settingsParts('1', settings, env), other)).toEqual(names);
});

test('the parts tell no key', () => {
  expect(JSON.stringify(settingsParts('1', settings, env))).not.toMatch(/"key"|"own"/);
});
