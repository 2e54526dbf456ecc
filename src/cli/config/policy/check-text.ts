import { dirname, join } from 'node:path';
import { tryPolicyText } from '../../../kernel/policy-source/policy-in-force.ts';
import type { TriedPolicy } from '../../../kernel/policy-source/policy-in-force.ts';
import { PROJECT_POLICY } from '../../../kernel/policy-source/read-policy-text.ts';
import { checkExtensions } from './check-extensions.ts';

/** A text for a project's policy, with its extensions, as it would be in force once it is signed. Nothing is executed. */
export async function checkText(
  { installRoot, projectRoot }: { readonly installRoot: string; readonly projectRoot: string },
  text: string,
): Promise<TriedPolicy> {
  const tried = await tryPolicyText({ shippedFile: join(installRoot, 'policy.yaml'), projectRoot }, text);
  if (tried.kind === 'invalid') return tried;
  const errors = await checkExtensions(tried.policy, dirname(PROJECT_POLICY));
  return errors.length > 0 ? { kind: 'invalid', errors, warnings: tried.warnings } : tried;
}
