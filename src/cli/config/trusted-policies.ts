import { readTrustedHashes } from './policy/trust-store.ts';

/** SHA-256 of the project policies that the user has signed for, sorted. Throws FluffyError `trust_unsafe`. */
export async function trustedPolicies(trustDirectory: string): Promise<readonly string[]> {
  return [...(await readTrustedHashes(trustDirectory))].sort();
}
