import type { EventOf } from '../../contracts/session/events.ts';

/** A decision of the policy in words: `allowed: fs.read src/a.ts (read-project)`. The rules are those that decided, else all that took part. */
export function policyWords({
  decision,
  syscall,
  target,
  rules,
  decided_by,
  reason,
}: EventOf<'policy.decision'>): string {
  const names = (decided_by ?? rules).join(', ');
  return [`${decision}: ${syscall}`, target, names === '' ? '' : `(${names})`, reason].filter(Boolean).join(' ');
}
