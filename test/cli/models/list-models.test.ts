import { describe, expect, it } from 'vitest';
import { listModels } from '../../../src/cli/models/list-models.ts';
import { checkCatalogue } from '../../../src/cli/doctor/check-catalogue.ts';
import { MODEL_CATALOGUE } from '../../../src/lib/models/catalogue.ts';

describe('the list of models', () => {
  const gap = (provider: string) => (provider === 'anthropic' || provider === 'workshop' ? null : `no ${provider}`);
  const config = {
    prices: {},
    models: { 'workshop/qwen': { window_tokens: 32_000 }, 'anthropic/claude-sonnet-4-5': { images: false } },
  };

  it('has the usable ones first, the others with what is missing', () => {
    const models = listModels(config, gap);
    const usable = models.filter((model) => model.usable);
    expect(models.slice(0, usable.length)).toEqual(usable);
    expect(new Set(usable.map(({ model }) => model.split('/')[0]))).toEqual(new Set(['anthropic', 'workshop']));
    expect(models.find(({ model }) => model === 'openai/gpt-5')).toMatchObject({ usable: false, why: 'no openai' });
  });

  it('has the models and facts of the user', () => {
    const models = listModels(config, gap);
    expect(models.find(({ model }) => model === 'workshop/qwen')).toMatchObject({ window_tokens: 32_000 });
    expect(models.find(({ model }) => model === 'anthropic/claude-sonnet-4-5')).toMatchObject({ images: false });
  });
});

describe('doctor', () => {
  const day = 24 * 60 * 60 * 1000;
  const made = Date.parse(MODEL_CATALOGUE.date);

  it.each([
    [0, 'ok'],
    [180, 'ok'],
    [181, 'warn'],
  ])('calls a catalogue of %i days %s', (days, level) => {
    expect(checkCatalogue(made + days * day)).toMatchObject({ id: 'models', level });
  });
});
