import { describe, expect, it } from 'vitest';
import type { ModelChoice } from '../../../src/contracts/model/model-choice.ts';
import { changeMode, modeAtStart } from '../../../src/kernel/serve/change-mode.ts';
import { changeModel, optionsAtResume } from '../../../src/kernel/serve/change-model.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const NO_MODES = policyOf(
  'capabilities: [{ name: no, match: { syscall: session.set_mode }, action: deny, reason: never }]',
);

describe('a change of mode', () => {
  it('is made at once where policy allows it', async () => {
    const { services, session, eventsOf } = testKernel({ state: 'idle' });
    expect(await changeMode(services, session, 'explore')).toEqual({ ok: true, reason: 'The mode is explore now.' });
    expect(eventsOf('mode.changed')).toMatchObject([{ from: 'strict', to: 'explore', by: 'policy' }]);
  });

  it('to the same mode changes nothing', async () => {
    const { services, session, events } = testKernel({ state: 'idle' });
    expect(await changeMode(services, session, 'strict')).toEqual({ ok: true, reason: 'The mode is strict already.' });
    expect(events).toEqual([]);
  });

  it.each([
    [
      'in the middle of a task',
      { state: 'planning' },
      'A task is under way (state planning). Finish or reset it first.',
    ],
    ['by policy', { state: 'idle', policy: NO_MODES }, 'never'],
    ['until a person has agreed, where policy asks for one', { state: 'idle' }, 'Mode debug needs your approval.'],
  ] as const)('is refused %s', async (_what, options, reason) => {
    const { services, session } = testKernel(options);
    expect(await changeMode(services, session, 'debug')).toEqual({ ok: false, reason });
    expect(session.mode).toBe('strict');
  });

  it('is refused where a task begins while policy is asked', async () => {
    const { services, session } = testKernel({ state: 'idle' });
    const changed = changeMode(services, session, 'explore');
    session.updateRow({ state: 'planning' });
    expect(await changed).toEqual({ ok: false, reason: 'A task has started in the meantime.' });
    expect(session.mode).toBe('strict');
  });
});

it('a session begins in strict mode where policy does not allow another at once', async () => {
  const { services } = testKernel({ state: 'idle', policy: NO_MODES });
  expect(await modeAtStart(services, 'explore')).toEqual({ mode: 'strict', refused: 'never' });
  expect(await modeAtStart(services, 'strict')).toEqual({ mode: 'strict', refused: null });
});

const MONEY = { limits: { max_session_cost_usd: 3 } };
const PRICE = { input: 1, output: 1 } as ModelChoice['price'];
const NO_PRICE = 'A limit in money needs a price for openai/gpt-5: set models.openai/gpt-5.price in your config.yaml';

describe('a change of model', () => {
  it.each<readonly [string, object, ModelChoice, boolean, string]>([
    ['is made', {}, { model: 'openai/gpt-5' }, true, 'The model is openai/gpt-5 now.'],
    ['is refused without a price where money is limited', MONEY, { model: 'openai/gpt-5' }, false, NO_PRICE],
    [
      'is made with a price where money is limited',
      MONEY,
      { model: 'openai/gpt-5', price: PRICE },
      true,
      'The model is openai/gpt-5 now.',
    ],
  ])('%s', async (_what, options, choice, ok, reason) => {
    const policy = policyOf('capabilities: [{ name: all, match: { syscall: ai.generate }, action: allow }]');
    const { services, session } = testKernel({ state: 'idle', options, policy });
    expect(await changeModel(services, session, choice)).toEqual({ ok, reason });
  });

  it('is refused where policy denies the model', async () => {
    const policy = policyOf(
      'capabilities: [{ name: no, match: { syscall: ai.generate }, action: deny, reason: never }]',
    );
    const { services, session } = testKernel({ state: 'idle', policy });
    const { ok, reason } = await changeModel(services, session, { model: 'openai/gpt-5' });
    expect([ok, reason]).toEqual([false, 'Policy denies openai/gpt-5: never']);
  });
});

describe('a session that is taken up', () => {
  const own = { model: 'openai/gpt-5', effort: 'low' } as const;

  it('goes on with the model of who takes it up, or with its own', () => {
    const { session } = testKernel({ state: 'idle', options: own });
    const options = { ...session.snapshot.options, model: 'anthropic/other', limits: {} };
    expect(optionsAtResume(session, { options, keep_model: undefined }).model).toBe('anthropic/other');
    expect(optionsAtResume(session, { options, keep_model: true })).toMatchObject(own);
    const same = { ...options, model: own.model, effort: 'high' as const };
    expect(optionsAtResume(session, { options: same, keep_model: true })).toMatchObject({
      model: own.model,
      effort: 'high',
    });
  });

  it('cannot go on with its own model without a price where money is limited', () => {
    const { session } = testKernel({ state: 'idle', options: own });
    const options = { ...session.snapshot.options, ...MONEY, model: 'anthropic/other' };
    expect(() => optionsAtResume(session, { options, keep_model: true })).toThrow(
      expect.objectContaining({ code: 'usage', why: NO_PRICE }) as Error,
    );
  });
});
