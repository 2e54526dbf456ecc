import type { EventBody } from '../../contracts/session/events.ts';

/** The notice to open sessions after another policy has come into force. */
export function policyNotice(change: {
  readonly from: string;
  readonly to: string;
  readonly by: 'human' | 'file';
}): Extract<EventBody, { type: 'notice' }> {
  const { from, to, by } = change;
  return {
    type: 'notice',
    level: 'info',
    what: 'The policy has changed',
    why: `${by === 'human' ? 'you approved another one' : "the project's policy file or its signature has changed"} (${from.slice(0, 10)} -> ${to.slice(0, 10)}); calls in progress use the old one, all others use the new one`,
    fix: 'fluffy config policy show prints it',
    code: 'policy_changed',
  };
}
