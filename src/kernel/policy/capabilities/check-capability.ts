import type {
  Capability,
  CapabilityBinding,
  CapabilityRefusal,
  PresentedCapability,
} from '../../../contracts/policy.ts';
import type { GlobSet } from '../../../lib/globs/glob-set.ts';
import type { Subject } from '../rules/match-condition.ts';

/** A capability as the kernel stores it. */
export interface CapabilityRecord {
  readonly capability: Capability;
  readonly targets: GlobSet;
  readonly usedOps: number;
  /** The highest `use` number so far; the next use must have a higher one. */
  readonly lastUse: number;
}

/** The presented capability, its presenter, and the kernel's record of it. */
export interface CapabilityClaim {
  readonly record: CapabilityRecord | null;
  readonly presented: PresentedCapability;
  readonly by: CapabilityBinding;
}

export type CapabilityCheck =
  { readonly kind: 'valid' } | { readonly kind: 'refused'; readonly refusal: CapabilityRefusal };

/** Whether the claim covers the subject now. Pure; `CapabilityStore.use` counts the use. */
export function checkCapability(claim: CapabilityClaim, subject: Subject, nowMonotonicMs: number): CapabilityCheck {
  const refusal = refusalOf(claim, subject, nowMonotonicMs);
  return refusal === null ? { kind: 'valid' } : { kind: 'refused', refusal };
}

function refusalOf(
  { record, presented, by }: CapabilityClaim,
  subject: Subject,
  now: number,
): CapabilityRefusal | null {
  if (record === null) return 'unknown';
  const { capability, usedOps, lastUse, targets } = record;
  if (capability.id !== presented.id) return 'unknown';
  if (capability.nonce !== presented.nonce) return 'wrong_nonce';
  if (!sameHolder(capability.binding, by)) return 'wrong_holder';
  // If the clock runs backwards or gives no time, the token counts as expired.
  if (!(now >= capability.issuedAtMs && now < capability.expiresAtMs)) return 'expired';
  if (usedOps >= capability.maxOps) return 'exhausted';
  if (presented.use <= lastUse) return 'replayed';
  if (capability.state !== subject.request.state) return 'wrong_state';
  if (capability.syscall !== subject.request.syscall) return 'out_of_scope';
  const inScope = subject.path === null ? targets.globs.length === 0 : targets.matchesCutUp(subject.path);
  return inScope ? null : 'out_of_scope';
}

function sameHolder(a: CapabilityBinding, b: CapabilityBinding): boolean {
  return (
    a.sandboxId === b.sandboxId &&
    a.connectionId === b.connectionId &&
    a.peerUid === b.peerUid &&
    a.peerPid === b.peerPid
  );
}
