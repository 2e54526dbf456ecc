import type { Capability, CapabilityBinding, CapabilityScope, PresentedCapability } from '../../../contracts/policy.ts';
import { GlobSet } from '../../../lib/globs/glob-set.ts';
import { parseGlob } from '../../../lib/globs/parse-glob.ts';
import type { Glob } from '../../../lib/globs/glob.ts';
import { MAX_PATH_BYTES } from '../../../contracts/policy.ts';
import type { CapabilityClaim, CapabilityRecord } from './check-capability.ts';

/** The longest possible path from the root with each character escaped, because a scope names exact paths. */
const MAX_SCOPE_BYTES = 2 * MAX_PATH_BYTES + 1;

/** A capability is for one operation or a small group of operations; a longer task requests another. */
const MAX_TTL_MS = 10 * 60_000;
const MAX_OPS = 1000;

export type Issued =
  { readonly kind: 'ok'; readonly capability: Capability } | { readonly kind: 'refused'; readonly reason: string };

/**
 * The issued capabilities that can still be used. Times are of the monotonic clock and come from the caller. A used up
 * or revoked capability is removed; its id and nonce are never issued again.
 */
export class CapabilityStore {
  readonly #newId: () => string;
  readonly #records = new Map<string, CapabilityRecord>();
  #nonce = 0;

  /** `newId` must return a new, unguessable id each time. */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  issue(scope: CapabilityScope, binding: CapabilityBinding, nowMonotonicMs: number): Issued {
    if (!Number.isInteger(scope.maxOps) || scope.maxOps < 1 || scope.maxOps > MAX_OPS) {
      return { kind: 'refused', reason: `maxOps must be 1 to ${MAX_OPS}` };
    }
    if (!(scope.ttlMs > 0 && scope.ttlMs <= MAX_TTL_MS))
      return { kind: 'refused', reason: `ttlMs must be 1 to ${MAX_TTL_MS}` };
    const globs: Glob[] = [];
    for (const path of scope.paths) {
      const parsed = parseGlob(path, MAX_SCOPE_BYTES);
      if (parsed.kind === 'refused')
        return { kind: 'refused', reason: `the pattern ${JSON.stringify(path)} ${parsed.reason}` };
      globs.push(parsed.glob);
    }
    const id = this.#newId();
    if (this.#records.has(id)) throw new Error('a capability id came up twice');
    this.#nonce += 1;
    const expiresAtMs = nowMonotonicMs + scope.ttlMs;
    const capability: Capability = {
      ...scope,
      id,
      nonce: this.#nonce,
      binding,
      issuedAtMs: nowMonotonicMs,
      expiresAtMs,
    };
    this.#records.set(id, { capability, targets: new GlobSet(globs), usedOps: 0, lastUse: 0 });
    return { kind: 'ok', capability };
  }

  /** What `decide` needs to check a presented capability. Changes nothing. */
  claim(presented: PresentedCapability, by: CapabilityBinding): CapabilityClaim {
    return { record: this.#records.get(presented.id) ?? null, presented, by };
  }

  /**
   * Counts one use. Must be called in the same turn of the event loop as the check, so that no other use can come
   * between.
   */
  use(presented: PresentedCapability): void {
    const record = this.#records.get(presented.id);
    if (record === undefined) throw new Error('a capability was used that is not there');
    const usedOps = record.usedOps + 1;
    if (usedOps >= record.capability.maxOps) this.#records.delete(presented.id);
    else this.#records.set(presented.id, { ...record, usedOps, lastUse: presented.use });
  }

  /** Revokes a capability before it is used up; null if it no longer exists. */
  revoke(id: string): Capability | null {
    const record = this.#records.get(id);
    this.#records.delete(id);
    return record?.capability ?? null;
  }
}
