import type { CompiledPolicy } from './compiled-policy.ts';

/**
 * The policy in force. A request takes `current()` once, at its start, and keeps it to its end: a reload in between changes what the next
 * one is decided by, and loses none. Capabilities stay too: each belongs to one request that has been decided, and dies with it.
 */
export class PolicyHolder {
  #policy: CompiledPolicy;

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  current(): CompiledPolicy {
    return this.#policy;
  }

  /** The same text again is no replacement. */
  replace(policy: CompiledPolicy): boolean {
    if (policy.hash === this.#policy.hash) return false;
    this.#policy = policy;
    return true;
  }
}
