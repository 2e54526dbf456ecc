import { policyInvalid } from '../../kernel/policy-source/open-policy.ts';
import { readProjectPolicyText } from '../../kernel/policy-source/read-policy-text.ts';
import { policyOf } from './policy/policy-source.ts';

/**
 * Finds an unusable project policy before a kernel is started with it. Cheap for a project without a policy. Throws FluffyError `policy_invalid`,
 * exit 2.
 */
export async function checkProjectPolicy(
  installRoot: string,
  projectRoot: string,
  trusted: readonly string[],
): Promise<void> {
  if ((await readProjectPolicyText(projectRoot)).kind === 'missing') return;
  const found = await policyOf({ kind: 'project', installRoot, projectRoot, trustedHashes: new Set(trusted) });
  if (found.kind === 'invalid') throw policyInvalid(found.errors);
}
