import { describe, expect, it } from 'vitest';
import { SESSION_STATES } from '../../../src/contracts/session/workflow-states.ts';
import type { SessionState } from '../../../src/contracts/session/workflow-states.ts';
import { lastDecidedState, transition, WORKFLOW_EVENTS } from '../../../src/kernel/workflow/transition.ts';
import type { Flow, WorkflowEvent } from '../../../src/kernel/workflow/transition.ts';

/** The whole machine as data, written from the specification: `flow from event -> next`. Whatever is not here must be illegal. */
const LEGAL: readonly (readonly [Flow, SessionState, WorkflowEvent, SessionState])[] = [
  ['strict', 'idle', 'user_message', 'planning'],
  ['strict', 'planning', 'plan_completed', 'test_writing'],
  ['strict', 'planning', 'turn_answered', 'idle'],
  ['strict', 'planning', 'exemption_granted', 'exploring'],
  ['strict', 'test_writing', 'red_confirmed', 'code_writing'],
  ['strict', 'test_writing', 'exemption_granted', 'exploring'],
  ['strict', 'code_writing', 'tests_revised', 'test_writing'],
  ['strict', 'code_writing', 'validation_started', 'validating'],
  ['strict', 'validating', 'green_confirmed', 'reviewing'],
  ['strict', 'validating', 'green_failed', 'code_writing'],
  ['strict', 'reviewing', 'merge_approved', 'committing'],
  ['strict', 'reviewing', 'merge_rejected', 'code_writing'],
  ['strict', 'reviewing', 'tests_revised', 'test_writing'],
  ['strict', 'committing', 'commit_completed', 'idle'],
  ['strict', 'committing', 'commit_failed', 'code_writing'],
  ['strict', 'test_writing', 'plan_completed', 'test_writing'],
  ['strict', 'test_writing', 'suite_confirmed', 'code_writing'],
  ['tests', 'idle', 'user_message', 'planning'],
  ['tests', 'planning', 'plan_completed', 'test_writing'],
  ['tests', 'planning', 'turn_answered', 'idle'],
  ['tests', 'planning', 'exemption_granted', 'exploring'],
  ['tests', 'test_writing', 'plan_completed', 'test_writing'],
  ['tests', 'test_writing', 'validation_started', 'validating'],
  ['tests', 'test_writing', 'exemption_granted', 'exploring'],
  ['tests', 'validating', 'green_confirmed', 'reviewing'],
  ['tests', 'validating', 'green_failed', 'test_writing'],
  ['tests', 'reviewing', 'merge_approved', 'committing'],
  ['tests', 'reviewing', 'merge_rejected', 'test_writing'],
  ['tests', 'reviewing', 'tests_revised', 'test_writing'],
  ['tests', 'committing', 'commit_completed', 'idle'],
  ['tests', 'committing', 'commit_failed', 'test_writing'],
  ['explore', 'idle', 'user_message', 'planning'],
  ['explore', 'planning', 'plan_completed', 'exploring'],
  ['explore', 'planning', 'exemption_granted', 'exploring'],
  ['explore', 'planning', 'turn_answered', 'idle'],
  ['explore', 'exploring', 'validation_started', 'validating'],
  ['explore', 'validating', 'green_confirmed', 'reviewing'],
  ['explore', 'validating', 'green_failed', 'exploring'],
  ['explore', 'reviewing', 'merge_approved', 'committing'],
  ['explore', 'reviewing', 'merge_rejected', 'exploring'],
  ['explore', 'reviewing', 'tests_requested', 'retroactive_testing'],
  ['explore', 'retroactive_testing', 'validation_started', 'validating'],
  ['explore', 'committing', 'commit_completed', 'idle'],
  ['explore', 'committing', 'commit_failed', 'exploring'],
];

/** Cancelling leads to idle from every state that the flow can be in, idle itself excepted. */
const UNREACHABLE: Readonly<Record<Flow, readonly SessionState[]>> = {
  strict: ['exploring', 'retroactive_testing'],
  tests: ['code_writing', 'exploring', 'retroactive_testing'],
  explore: ['test_writing', 'code_writing'],
};

function expectedNext(flow: Flow, from: SessionState, event: WorkflowEvent): SessionState | null {
  if (event === 'cancelled') return from === 'idle' || UNREACHABLE[flow].includes(from) ? null : 'idle';
  return LEGAL.find(([f, s, e]) => f === flow && s === from && e === event)?.[3] ?? null;
}

describe.each(['strict', 'tests', 'explore'] as const)('the %s flow', (flow) => {
  for (const from of SESSION_STATES) {
    for (const event of WORKFLOW_EVENTS) {
      const next = expectedNext(flow, from, event);
      it(next === null ? `refuses ${event} in ${from}` : `goes from ${from} to ${next} on ${event}`, () => {
        const outcome = transition(flow, from, event);
        if (next === null) expect(outcome).toEqual({ kind: 'illegal-transition', from, event });
        else expect(outcome).toMatchObject({ kind: 'moved', next });
      });
    }
  }

  it('comes back from every state to one that it can go on from', () => {
    for (const state of SESSION_STATES.filter((each) => !UNREACHABLE[flow].includes(each))) {
      const back = lastDecidedState(flow, state);
      expect(back).not.toBe('validating');
      expect(UNREACHABLE[flow]).not.toContain(back);
    }
  });
});
