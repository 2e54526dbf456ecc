import type { CapabilityAuthority } from '../../contracts/ports/sandboxes.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import { authorize, exactPathGlob } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import { record } from '../record/audit-trail.ts';
import type { Services } from '../services.ts';

export interface AuthorityScope {
  readonly callId: string;
  readonly syscall: string;
  /** Tags of the plugin that performs the call. */
  readonly tags: readonly string[];
  /** Project-relative paths that the operation writes; empty if the operation has no path. */
  readonly paths: readonly string[];
  readonly ttlMs: number;
}

/**
 * Issues the permission for one call, for the sandbox that performs it. Policy has allowed the call before. When the
 * result comes back, the built-in rules are asked again and the capability is checked: its holder, its age, and that it
 * was not used before.
 */
export function capabilityAuthority(services: Services, session: Session, scope: AuthorityScope): CapabilityAuthority {
  const { syscall, paths, callId } = scope;
  const { state } = session;
  let issuedId: string | null = null;
  const withdraw = (): void => {
    const unused = issuedId === null ? null : services.capabilities.revoke(issuedId);
    if (unused === null) return;
    record(services, session, 'capability_expired', {
      syscall_type: syscall,
      capability_id: unused.id,
      sandbox_id: unused.binding.sandboxId,
      input_summary: paths.join(' '),
      metadata: { call_id: callId, after_ms: String(Math.round(services.clock.monotonicMs() - unused.issuedAtMs)) },
    });
  };
  return {
    issue: (holder) => {
      const issued = services.capabilities.issue(
        { syscall, paths: paths.map(exactPathGlob), state, maxOps: Math.max(1, paths.length), ttlMs: scope.ttlMs },
        holder,
        services.clock.monotonicMs(),
      );
      if (issued.kind === 'refused') throw new Error(`a capability was refused: ${issued.reason}`);
      const { id, nonce } = issued.capability;
      issuedId = id;
      record(services, session, 'capability_issued', {
        syscall_type: syscall,
        capability_id: id,
        sandbox_id: holder.sandboxId,
        input_summary: paths.join(' '),
        metadata: { call_id: callId, ttl_ms: String(scope.ttlMs) },
      });
      return { id, nonce };
    },
    redeem: (holder, presented) => {
      const nowMonotonicMs = services.clock.monotonicMs();
      const targets: (string | undefined)[] = paths.length === 0 ? [undefined] : [...paths];
      for (const [index, path] of targets.entries()) {
        const request: PolicyRequest = {
          syscall,
          path,
          state: session.state,
          mode: session.mode,
          tags: scope.tags,
        };
        const claim = { ...presented, use: presented.use + index };
        const decision = authorize(services.policy(), services.capabilities, request, {
          nowMonotonicMs,
          presented: claim,
          by: holder,
        });
        if (!decision.byToken) {
          withdraw();
          return [...decision.warnings, ...decision.reasons].join('; ');
        }
      }
      record(services, session, 'syscall', {
        syscall_type: syscall,
        policy_decision: 'allowed_by_token',
        capability_id: presented.id,
        sandbox_id: holder.sandboxId,
        input_summary: paths.join(' '),
        metadata: { call_id: callId },
      });
      session.emit({
        type: 'policy.decision',
        call_id: callId,
        syscall,
        ...(paths[0] === undefined ? {} : { target: paths[0] }),
        decision: 'allowed_by_token',
        rules: [],
        reason: 'the capability is valid',
      });
      return null;
    },
    withdraw,
  };
}
