import { expect, test } from 'vitest';
import type { PlaceFinding } from '../../../src/contracts/ports/host-services.ts';
import { answerCall, type CallServices } from '../../../src/host/runtime-guard/answer-call.ts';
import type { GuardCall } from '../../../src/host/runtime-guard/guard-call.ts';

const REPLACED: PlaceFinding = { kind: 'replaced', what: 'project', why: '/p is another directory than before' };
const MADE = { kind: 'json', status: 201, body: {} } as const;

function answer(kind: 'volume-create' | 'container-create' | 'project-place', place: PlaceFinding) {
  const create = () => Promise.resolve(MADE);
  const services: Partial<CallServices> = {
    checkPlace: () => Promise.resolve(place),
    volumes: { create } as unknown as CallServices['volumes'],
    containers: { create } as unknown as CallServices['containers'],
  };
  const call: GuardCall = { kind };
  const parsed = { call, query: {}, takesBody: kind !== 'project-place' };
  return answerCall(services as CallServices, parsed, {}, new AbortController().signal);
}

test.each(['volume-create', 'container-create'] as const)(
  '%s is refused where another directory is at the path of the project',
  async (kind) => {
    expect(await answer(kind, { kind: 'same' })).toEqual(MADE);
    expect(await answer(kind, REPLACED)).toEqual({
      kind: 'refused',
      reason: 'the project was replaced: /p is another directory than before',
    });
  },
);

test.each([
  ['anchor-records', { after: -1, records: [] }, 'not records of an audit log'],
  ['anchor', { entries: 1, head: 'x' }, 'not an anchor request'],
  ['attest', {}, 'not an attest request'],
  ['spending', {}, 'not what requests have used'],
] as const)('a body that is no %s is refused before anything is signed or counted', async (kind, body, reason) => {
  const parsed = { call: { kind }, query: {}, takesBody: true };
  // No service is there: a call that reached one would throw.
  const answered = await answerCall({} as CallServices, parsed, body, new AbortController().signal);
  expect(answered).toEqual({ kind: 'refused', reason });
});

test('says whether the project is in its place', async () => {
  expect(await answer('project-place', REPLACED)).toEqual({ kind: 'json', status: 200, body: REPLACED });
});

test.each<[unknown, unknown]>([
  [
    { tokens: 5, cost_usd: 0.1 },
    { kind: 'json', status: 200 },
  ],
  // A kernel must not lower what has been used.
  [{ tokens: -5, cost_usd: 0 }, { kind: 'refused' }],
  [{ tokens: 0, cost_usd: -1 }, { kind: 'refused' }],
  [{}, { kind: 'refused' }],
])('what requests have used (%j) is answered with %j', async (body, expected) => {
  const services: Partial<CallServices> = { addSpending: (used) => Promise.resolve({ day: used, project: used }) };
  const parsed = { call: { kind: 'spending' } as const, query: {}, takesBody: true };
  const answered = await answerCall(services as CallServices, parsed, body, new AbortController().signal);
  expect(answered).toMatchObject(expected as object);
});
