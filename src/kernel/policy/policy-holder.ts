import type { CompiledPolicy } from './compiled-policy.ts';

/**
 * The policy in force. A request takes `current()` once, at its start, and keeps it to its end: a reload in between changes what the next
 * one is decided by, and loses none.
 */
export class PolicyHolder {
  #policy: CompiledPolicy;
  readonly #onReplace: (policy: CompiledPolicy) => void;

  /** `onReplace` is told of the new policy: to revoke the capabilities that the old one gave, and to tell who shows it. */
  constructor(policy: CompiledPolicy, onReplace: (policy: CompiledPolicy) => void = () => undefined) {
    this.#policy = policy;
    this.#onReplace = onReplace;
  }

  current(): CompiledPolicy {
    return this.#policy;
  }

  /** The same text again is no replacement. */
  replace(policy: CompiledPolicy): boolean {
    if (policy.hash === this.#policy.hash) return false;
    this.#policy = policy;
    this.#onReplace(policy);
    return true;
  }
}
