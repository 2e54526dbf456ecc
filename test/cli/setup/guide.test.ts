import { describe, expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { guideSetUp } from '../../../src/cli/setup/guide.ts';
import type { GuideParts } from '../../../src/cli/setup/guide.ts';
import type { KeyTrial } from '../../../src/cli/setup/try-key.ts';

const WORKS: KeyTrial = { kind: 'works', models: ['claude-b', 'other'] };

/** A person who answers each question with the next of these. */
async function play(answers: readonly (string | null)[], parts: Partial<GuideParts> = {}) {
  const left = [...answers];
  const told: string[] = [];
  const kept: string[] = [];
  const next = (title: string, ids: readonly string[] = []) => {
    told.push(`? ${title}${ids.length === 0 ? '' : ` [${ids.join(' ')}]`}`);
    return Promise.resolve(left.shift() ?? null);
  };
  const done = await guideSetUp({
    screen: {
      say: (mark, text) => told.push(`${mark}: ${text}`),
      busy: () => undefined,
      choose: (title, entries) =>
        next(
          title,
          entries.map(({ id }) => id),
        ),
      line: (title) => next(title),
      secret: (title) => next(title),
    },
    localServers: () => Promise.resolve([]),
    vendors: () => Promise.resolve([{ name: 'anthropic', title: 'Anthropic', hasKey: false }]),
    tryKey: () => Promise.resolve(WORKS),
    storeKey: (vendor, key) => {
      if (key.includes(' '))
        throw new FluffyError({ code: 'key_unusable', what: 'No key', why: 'a blank', fix: '', exitCode: 2 });
      kept.push(`key ${vendor} ${key}`);
      return Promise.resolve('the keyring');
    },
    modelsOf: (vendor) => [`${vendor}/claude-a`, `${vendor}/claude-b`, `${vendor}/other`],
    keepModel: (model) => {
      kept.push(`model ${model}`);
      return Promise.resolve('/config.yaml');
    },
    endpointAt: (baseUrl) => ({ name: 'mine', host: 'mine.example', baseUrl }),
    tryEndpoint: () => Promise.resolve(WORKS),
    keepEndpoint: ({ name, baseUrl }) => {
      kept.push(`endpoint ${name} ${baseUrl}`);
      return Promise.resolve('/config.yaml');
    },
    findings: () => Promise.resolve([{ mark: 'bad', text: 'No engine' }]),
    ...parts,
  });
  return { done, told, kept };
}

describe('the guided set-up', () => {
  it('stores a key that works, and keeps a model that the vendor lists', async () => {
    const { done, told, kept } = await play(['anthropic', ' sk-1\n', 'anthropic/claude-b']);
    expect({ done, kept }).toEqual({ done: true, kept: ['key anthropic sk-1', 'model anthropic/claude-b'] });
    expect(told).toEqual([
      expect.stringMatching(/^note: Set-up in three steps/),
      '? Whose model answers? None was found on this machine [anthropic own endpoint]',
      '? Key of Anthropic, it is not shown:',
      'good: The key of Anthropic works, and is stored in the keyring',
      '? Which model? [anthropic/claude-b anthropic/other]',
      'good: The model is anthropic/claude-b, kept in /config.yaml',
      'bad: No engine',
    ]);
    expect(told.join()).not.toContain('sk-1');
  });

  it('asks again where the vendor refuses the key, which is not stored', async () => {
    const trials: KeyTrial[] = [{ kind: 'refused', why: 'the vendor answers 401' }, WORKS];
    const tryKey = () => Promise.resolve(trials.shift() ?? WORKS);
    const { kept, told } = await play(['anthropic', 'bad', 'good', 'anthropic/other'], { tryKey });
    expect(told).toContain('bad: Anthropic refuses this key (the vendor answers 401); it was not stored');
    expect(kept).toEqual(['key anthropic good', 'model anthropic/other']);
  });

  it('stores a key that could not be tried, and says so', async () => {
    const tryKey = () => Promise.resolve({ kind: 'not-tried', why: 'no network' } as const);
    const { told } = await play(['anthropic', 'k', 'anthropic/other'], { tryKey });
    expect(told).toContain('note: The key of Anthropic is stored in the keyring; it could not be tried: no network');
  });

  it('asks again for what can be no key', async () => {
    const { told, kept } = await play(['anthropic', 'a b', '', 'k', 'anthropic/other']);
    expect(told).toContain('bad: No key: a blank');
    expect(told).toContain('bad: No key was entered. Paste it and press Enter; Esc leaves the set-up');
    expect(kept[0]).toBe('key anthropic k');
  });

  it('takes the only model of a server on this machine, without a key', async () => {
    const server = { provider: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:1/v1', models: ['ollama/qwen'] };
    const { kept, told } = await play(['ollama'], { localServers: () => Promise.resolve([server]) });
    expect(kept).toEqual(['model ollama/qwen']);
    expect(told[1]).toContain('Those on this machine need no key');
  });

  it('takes an endpoint of their own, and a model that it lists', async () => {
    const { kept } = await play(['own endpoint', 'https://m/v1', '', 'mine/other']);
    expect(kept).toEqual(['endpoint mine https://m/v1', 'model mine/other']);
  });

  it('asks for no key that is there', async () => {
    const vendors = () => Promise.resolve([{ name: 'openai', title: 'OpenAI', hasKey: true }]);
    expect((await play(['openai', 'openai/other'], { vendors })).kept).toEqual(['model openai/other']);
  });

  it.each([[[null]], [['anthropic', null]], [['anthropic', 'k', null]]])(
    'ends where a question is left: %j',
    async (answers) => {
      const { done, kept } = await play(answers);
      expect(done).toBe(false);
      expect(kept.some((each) => each.startsWith('model'))).toBe(false);
    },
  );
});
