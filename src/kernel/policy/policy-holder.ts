import type { CompiledPolicy } from './compiled-policy.ts';

/**
 * The policy in force. A request takes `current()` once at its start and keeps it to its end. A reload in between
 * affects only later requests, and no request is lost. Capabilities stay valid too: each belongs to one request that
 * was already decided, and ends with it.
 */
export class PolicyHolder {
  #policy: CompiledPolicy;

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  current(): CompiledPolicy {
    return this.#policy;
  }

  /** Returns false for the same text again. */
  replace(policy: CompiledPolicy): boolean {
    if (policy.hash === this.#policy.hash) return false;
    this.#policy = policy;
    return true;
  }
}
