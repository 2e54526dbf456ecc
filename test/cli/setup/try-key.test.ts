import { describe, expect, it } from 'vitest';
import { findEndpoint, providerEndpoints } from '../../../src/host/secrets/index.ts';
import { tryKey } from '../../../src/cli/setup/try-key.ts';
import type { Fetch } from '../../../src/cli/setup/try-key.ts';

const ENDPOINTS = providerEndpoints({}, {});
const ask = (answer: () => Response | Promise<Response>, provider = 'anthropic') => {
  const asked: unknown[] = [];
  const fetch: Fetch = async (url, { headers, redirect }) => {
    asked.push([url, headers, redirect]);
    return answer();
  };
  return tryKey(findEndpoint(ENDPOINTS, provider), 'sk', fetch).then((trial) => ({ trial, asked }));
};
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

describe('a key that is tried', () => {
  it.each([
    ['anthropic', 'https://api.anthropic.com/v1/models', { 'x-api-key': 'sk', 'anthropic-version': '2023-06-01' }],
    ['openai', 'https://api.openai.com/v1/models', { authorization: 'Bearer sk' }],
    ['google', 'https://generativelanguage.googleapis.com/v1beta/models', { 'x-goog-api-key': 'sk' }],
  ])('goes to %s, and follows no redirection', async (provider, url, headers) => {
    const { asked } = await ask(() => json({ data: [] }), provider);
    expect(asked).toEqual([[url, headers, 'error']]);
  });

  it('works where models are listed', async () => {
    expect((await ask(() => json({ data: [{ id: 'a' }] }))).trial).toEqual({ kind: 'works', models: ['a'] });
    const google = await ask(() => json({ models: [{ name: 'models/gemini-x' }] }), 'google');
    expect(google.trial).toEqual({ kind: 'works', models: ['gemini-x'] });
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [429, 'not-tried'],
    [500, 'not-tried'],
  ])('is judged by %i: %s', async (status, kind) => {
    expect((await ask(() => json({}, status))).trial.kind).toBe(kind);
  });

  it('is not judged where nobody answers', async () => {
    const trial = (await ask(() => Promise.reject(new Error('fetch failed', { cause: new Error('no route') })))).trial;
    expect(trial).toEqual({ kind: 'not-tried', why: 'no route' });
  });
});
