import { expect, it } from 'vitest';
import { flowOf, move } from '../../../src/kernel/record/fire-event.ts';
import { pin, unpin } from '../../../src/kernel/session/pins.ts';
import { modelInUse, standIn } from '../../../src/kernel/session/model-in-use.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const EXEMPTION = { category: 'documentation', paths: ['a.md'], reason: 'typo' } as never;

it.each<readonly [string, TestKernelOptions, string]>([
  ['of a strict session', {}, 'strict'],
  ['of a session for tests alone', { snapshot: { kind: 'tests' } }, 'tests'],
  ['of a session that explores', { mode: 'explore' }, 'explore'],
  ['of a session with an exemption', { snapshot: { exemption: EXEMPTION } }, 'explore'],
])('the flow %s is known', (_what, options, flow) => {
  expect(flowOf(testKernel(options).session)).toBe(flow);
});

it('a step that the state does not allow is a bug, and changes nothing', () => {
  const { services, session, events, audit } = testKernel({ state: 'idle' });
  expect(() => move(services, session, 'green_confirmed')).toThrow('illegal transition: green_confirmed in idle');
  expect([session.state, events.length, audit.records.length]).toEqual(['idle', 0, 0]);
});

it('a pin is kept once, and taken off by its number or its text', () => {
  const { session } = testKernel({});
  expect([...pin(session, 'a')]).toEqual(['a']);
  pin(session, 'a');
  pin(session, 'b');
  expect(session.snapshot.pins).toEqual(['a', 'b']);
  const notes = session.messages.length;
  expect(unpin(session, '3')).toBeNull();
  expect(unpin(session, 'c')).toBeNull();
  expect([session.snapshot.pins, session.messages.length]).toEqual([['a', 'b'], notes]);
  expect(unpin(session, '1')).toBe('a');
  expect(unpin(session, 'b')).toBe('b');
  expect(session.snapshot.pins).toEqual([]);
});

it('the chosen model comes back once, and is not reported where it was never away', () => {
  const { session, eventsOf } = testKernel({});
  const { model } = session.snapshot.options;
  standIn(session, null);
  expect(eventsOf('model.changed')).toEqual([]);
  standIn(session, { model: 'other/model' });
  expect(modelInUse(session).model).toBe('other/model');
  standIn(session, null);
  expect(modelInUse(session).model).toBe(model);
  expect(eventsOf('model.changed')).toMatchObject([{ to: 'other/model' }, { to: model }]);
});
