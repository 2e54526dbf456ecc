import { signedHashes } from './policy/trust-store.ts';

/** SHA-256 of the texts that the user has signed as the policy of this project, sorted. Throws FluffyError `trust_unsafe`. */
export async function trustedPolicies(trustDirectory: string, projectRoot: string): Promise<readonly string[]> {
  return [...(await signedHashes(trustDirectory, projectRoot))].sort();
}
