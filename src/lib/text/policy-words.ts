import type { EventOf } from '../../contracts/session/events.ts';

/** A decision of the policy as text: `allowed: fs.read src/a.ts (read-project)`. It names the rules that decided, or else all that matched. */
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
