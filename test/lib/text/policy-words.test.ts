import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../src/contracts/session/events.ts';
import { policyWords } from '../../../src/lib/text/policy-words.ts';

const EVENT: EventOf<'policy.decision'> = {
  type: 'policy.decision',
  session_id: 's_1',
  seq: 1,
  ts: 0,
  syscall: 'fs.write',
  target: 'src/a.ts',
  decision: 'denied',
  rules: ['read-project', 'no-keys'],
  decided_by: ['no-keys'],
  reason: 'keys stay closed',
};

describe('a decision in words', () => {
  it('names the rules that decided, and why', () => {
    expect(policyWords(EVENT)).toBe('denied: fs.write src/a.ts (no-keys) keys stay closed');
  });

  it('names all rules where none of them denied', () => {
    const { decided_by: _, ...allowed } = { ...EVENT, decision: 'allowed' as const, reason: '' };
    expect(policyWords(allowed)).toBe('allowed: fs.write src/a.ts (read-project, no-keys)');
  });

  it.each([
    ['no rule', { rules: [], decided_by: [] }, 'denied: fs.write src/a.ts keys stay closed'],
    ['the project itself as target', { target: '' }, 'denied: fs.write (no-keys) keys stay closed'],
    ['nothing but the call', { target: '', rules: [], decided_by: [], reason: '' }, 'denied: fs.write'],
  ])('leaves out what is not there: %s', (_, changes, words) => {
    expect(policyWords({ ...EVENT, ...changes })).toBe(words);
  });
});
