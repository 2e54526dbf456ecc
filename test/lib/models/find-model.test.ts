import { describe, expect, it } from 'vitest';
import { MODEL_CATALOGUE } from '../../../src/lib/models/catalogue.ts';
import { findModel } from '../../../src/lib/models/find-model.ts';

const find = (model: string, override = {}) => findModel(MODEL_CATALOGUE, model, override);

describe('a model is found', () => {
  it.each([
    ['anthropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-3-7-sonnet-latest', 'anthropic/claude-3-7-sonnet'],
    ['openai/gpt-5-mini-2025-08-07', 'openai/gpt-5-mini'],
    ['openai/gpt-5', 'openai/gpt-5'],
    ['ollama/qwen3-coder:30b', 'open/qwen3-coder'],
    ['ollama/gpt-oss:20b', 'open/gpt-oss'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
    ['azure/gpt-5-mini', 'openai/gpt-5-mini'],
    ['bedrock/openai.gpt-oss-20b-1:0', 'openai/gpt-oss-20b'],
    ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5'],
    ['vertex/google/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['workshop/Qwen3-Coder', 'open/qwen3-coder'],
  ])('%s as %s', (model, key) => {
    expect(find(model)).toMatchObject({ kind: 'listed', key });
  });

  it('with its price at its vendor alone', () => {
    expect(find('anthropic/claude-sonnet-4-5').facts.price).toMatchObject({ input: 3, output: 15, cache_read: 0.3 });
    expect(find('openrouter/anthropic/claude-sonnet-4.5').facts.price).toBeUndefined();
  });

  it('with the facts that the user has configured in place of single ones', () => {
    const { facts } = find('openai/gpt-5', { window_tokens: 64_000 });
    expect(facts).toMatchObject({ window_tokens: 64_000, max_output_tokens: 128_000, edit_format: 'patch' });
  });

  it.each(['workshop/secret-model', 'openai/gpt-50', 'ollama/qwen3x'])('or assumed: %s', (model) => {
    expect(find(model)).toMatchObject({ kind: 'assumed', facts: { window_tokens: 128_000 } });
  });
});

describe('the catalogue', () => {
  it('has every default model with window, limits and price', () => {
    const own = Object.entries(MODEL_CATALOGUE.models).filter(([key]) => /^(anthropic|openai)\//.test(key));
    expect(own.length).toBeGreaterThan(30);
    expect(own.filter(([, { price }]) => price === undefined)).toEqual([]);
    expect(own.filter(([, facts]) => facts.max_output_tokens >= facts.window_tokens)).toEqual([]);
  });
});
