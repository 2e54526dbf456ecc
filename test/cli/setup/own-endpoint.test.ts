import { describe, expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { endpointName, modelsOfOwnEndpoint } from '../../../src/cli/setup/own-endpoint.ts';
import type { KeyTrial } from '../../../src/cli/setup/try-key.ts';

const LISTS: KeyTrial = { kind: 'works', models: ['small', 'big/two'] };

/** A person who answers each question with the next of these, and an endpoint that answers with the next of those. */
async function play(answers: readonly (string | null)[], trials: readonly KeyTrial[]) {
  const left = [...answers];
  const outcomes = [...trials];
  const told: string[] = [];
  const kept: string[] = [];
  const next = (title: string) => {
    told.push(`? ${title}`);
    return Promise.resolve(left.shift() ?? null);
  };
  const models = await modelsOfOwnEndpoint({
    screen: { say: (mark, text) => told.push(`${mark}: ${text}`), busy: () => undefined, line: next, secret: next },
    endpointAt: (address) => {
      if (!address.startsWith('https://'))
        throw new FluffyError({ code: 'base_url_refused', what: '', why: 'no URL', fix: 'Write it so', exitCode: 2 });
      return { name: 'mine', host: 'models.mine.example', baseUrl: address };
    },
    tryEndpoint: (_, key) => {
      kept.push(`tried with ${key ?? 'no key'}`);
      return Promise.resolve(outcomes.shift() ?? LISTS);
    },
    storeKey: (name, key) => {
      kept.push(`key ${name} ${key}`);
      return Promise.resolve('the keyring');
    },
    keepEndpoint: ({ name, baseUrl }, key) => {
      kept.push(`${name} at ${baseUrl}, key ${key}`);
      return Promise.resolve('/config.yaml');
    },
  });
  return { models, told, kept };
}

describe('an endpoint of their own', () => {
  it('is kept with its key, and lists its models', async () => {
    const { models, told, kept } = await play([' https://m/v1 ', 'sk-secret\n'], [LISTS]);
    expect(models).toEqual(['mine/small', 'mine/big/two']);
    expect(kept).toEqual(['tried with sk-secret', 'key mine sk-secret', 'mine at https://m/v1, key stored']);
    expect(told.at(-1)).toBe(
      'good: models.mine.example answers, and is kept as mine in /config.yaml; its key is stored in the keyring',
    );
    expect(told.join()).not.toContain('sk-secret');
  });

  it('needs no key', async () => {
    expect((await play(['https://m/v1', ''], [LISTS])).kept).toEqual([
      'tried with no key',
      'mine at https://m/v1, key none',
    ]);
  });

  it('is asked for again where its address cannot be one, and its key where that is refused', async () => {
    const refused: KeyTrial = { kind: 'refused', why: 'the vendor answers 401' };
    const { told, kept } = await play(['mine', 'https://m/v1', '', 'bad', 'good'], [refused, refused, LISTS]);
    expect(told).toContain('bad: It cannot be used: no URL. Write it so');
    expect(told).toContain('bad: models.mine.example refuses a request without a key (the vendor answers 401)');
    expect(told).toContain('bad: models.mine.example refuses this key (the vendor answers 401)');
    expect(kept.slice(-2)).toEqual(['key mine good', 'mine at https://m/v1, key stored']);
  });

  it('has its model named where it lists none', async () => {
    const { models, told } = await play(['https://m/v1', '', ' llama '], [{ kind: 'not-tried', why: 'answers 404' }]);
    expect(models).toEqual(['mine/llama']);
    expect(told).toContain('? Model, as models.mine.example names it:');
  });

  it.each([[[null]], [['https://m/v1', null]], [['https://m/v1', '', null]]])(
    'is nothing where a question is left: %j',
    async (answers) => {
      expect((await play(answers, [{ kind: 'works', models: [] }])).models).toBeNull();
    },
  );

  it.each([
    ['api.together.xyz', 'together-xyz'],
    ['127.0.0.1', 'own'],
    ['localhost', 'localhost-2'],
    [`${'a'.repeat(60)}.example`, 'a'.repeat(36)],
  ])('is called by its host: %s', (host, name) => {
    expect(endpointName(host, (taken) => taken === 'localhost')).toBe(name);
  });
});
