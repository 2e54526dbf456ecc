import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { PROJECT_POLICY, policyInForce } from './policy/policy-source.ts';
import { readProjectPolicyText } from './policy/policy-text.ts';

/**
 * Finds an unusable project policy before a kernel is started with it, where it can be told with its place. A project without one costs one look. Throws
 * FluffyError `policy_invalid`, exit 2.
 */
export async function checkProjectPolicy(
  installRoot: string,
  projectRoot: string,
  trusted: readonly string[],
): Promise<void> {
  if ((await readProjectPolicyText(join(projectRoot, PROJECT_POLICY))).kind === 'missing') return;
  const source = { kind: 'project' as const, installRoot, projectRoot, trustedHashes: new Set(trusted) };
  const inForce = await policyInForce(source);
  if (inForce.kind === 'ok') return;
  throw new FluffyError({
    code: 'policy_invalid',
    what: "The project's policy cannot be used",
    why: inForce.errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('; '),
    fix: 'Mend it there; fluffy config policy check says when it is right',
    exitCode: EXIT.usage,
  });
}
