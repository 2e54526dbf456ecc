import { describe, expect, test } from 'vitest';
import type { ModelFailure } from '../../src/contracts/model/model.ts';
import { MODEL_FAILURES } from '../../src/contracts/model/model.ts';
import { providerAdvice } from '../../src/lib/provider-advice.ts';

describe('what to do when a provider failed', () => {
  test.each<[ModelFailure, string, string]>([
    ['auth', 'anthropic/claude', 'ANTHROPIC_API_KEY in your environment, or fluffy config set-key anthropic'],
    ['auth', 'lab/llama', 'providers.lab.api_key_ref'],
    ['auth', 'ollama/llama', 'Configure ollama under providers'],
    ['connection', 'anthropic/claude', 'Check the network, and FLUFFY_ANTHROPIC_BASE_URL'],
    ['connection', 'ollama/llama', 'Start the server'],
    ['connection', 'lab/llama', 'providers.lab.base_url'],
    ['protocol', 'openai/gpt', 'if it happens again, check the address (FLUFFY_OPENAI_BASE_URL'],
    ['protocol', 'replay/x', 'Correct the turn of the recording'],
    ['bad_request', 'replay/x', 'has a turn for each request'],
    ['program_failed', 'openai/gpt', 'Try again: continue with fluffy --continue'],
    ['program_failed', 'replay/x', 'Try again: continue with fluffy --continue'],
    ['unknown_model', 'openai/gpt', 'the name after the slash in openai/gpt'],
  ])('%s of %s: %s', (code, model, advice) => {
    expect(providerAdvice(code, model)).toContain(advice);
  });

  test.each(MODEL_FAILURES)('%s of a recording has no advice about a network, a login or an account', (code) => {
    expect(providerAdvice(code, 'replay/a')).not.toMatch(/network|log ?in|address|account|key/i);
  });

  test.each(MODEL_FAILURES)('%s has advice for every kind of provider', (code) => {
    for (const model of ['anthropic/a', 'openai/a', 'ollama/a', 'replay/a', 'own/a']) {
      expect(providerAdvice(code, model)).toMatch(/^[A-Z].{20,}[^.]$/);
    }
  });
});
