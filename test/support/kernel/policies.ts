import { readFileSync } from 'node:fs';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';

/** A policy from its text. Throws with the diagnostics of an invalid one. */
export function policyOf(text: string): CompiledPolicy {
  const loaded = loadPolicy(text, 'policy.yaml');
  if (loaded.kind !== 'ok') throw new Error(loaded.errors.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  return loaded.policy;
}

let shipped: CompiledPolicy | null = null;

/** policy.yaml of the repository, read once. */
export function shippedPolicy(): CompiledPolicy {
  shipped ??= policyOf(readFileSync('policy.yaml', 'utf8'));
  return shipped;
}
