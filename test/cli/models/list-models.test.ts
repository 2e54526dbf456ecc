import { describe, expect, it } from 'vitest';
import type { RoleConfig } from '../../../src/cli/config/model-roles.ts';
import { listModels } from '../../../src/cli/models/list-models.ts';
import { modelEntries } from '../../../src/cli/models/model-entries.ts';
import { fittingEntries } from '../../../src/tui/panel/picker-position.ts';
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

  it('has those that the configuration names for a purpose, described or not', () => {
    const roles: unknown = { main: 'workshop/big', small: 'workshop/small', fallback: ['other/one'] };
    const models = roles as RoleConfig['models'];
    const listed = listModels({ ...config, models }, gap).map(({ model }) => model);
    expect(listed).toEqual(expect.arrayContaining(['workshop/big', 'workshop/small', 'other/one']));
  });

  it('shows what can be used here alone, and the others to who searches for them', () => {
    const entries = modelEntries(listModels(config, gap));
    const shown = fittingEntries(entries, '').map(({ id }) => id);
    expect(new Set(shown.map((id) => id.split('/')[0]))).toEqual(new Set(['anthropic', 'workshop']));
    expect(fittingEntries(entries, 'openai/gpt-5').map(({ id }) => id)).toContain('openai/gpt-5');
    const none = modelEntries(listModels(config, () => 'no key'));
    expect(fittingEntries(none, '')).toHaveLength(none.length);
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
