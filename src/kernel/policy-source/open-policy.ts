import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { PolicyDiagnostic } from '../../contracts/policy.ts';
import type { IsSignedPolicy } from '../../contracts/ports/host-services.ts';
import type { ProtectedLocations } from '../../contracts/protected-locations.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import { policyInForce, tryPolicyText } from './policy-in-force.ts';
import type { TriedPolicy } from './policy-in-force.ts';
import { readError, readProjectPolicyText, sha256Of } from './read-policy-text.ts';

export interface PolicySources {
  /** The shipped policy: a file of the kernel's image. */
  readonly shippedFile: string;
  readonly projectRoot: string;
  /** Fluffy's own files inside the project. */
  readonly locations: ProtectedLocations;
  readonly isSigned: IsSignedPolicy;
}

export interface OpenedPolicy {
  readonly policy: CompiledPolicy;
  readonly warnings: readonly PolicyDiagnostic[];
  readonly project: ProjectText | null;
}

/** The project's own policy as it was read, and its SHA-256. */
export interface ProjectText {
  readonly text: string;
  readonly sha256: string;
}

/** `policyInForce` for the kernel. Throws FluffyError `policy_invalid` for a policy that cannot be used. */
export async function openPolicy(sources: PolicySources): Promise<OpenedPolicy> {
  const found = await policyInForce(sources);
  if (found.kind === 'invalid') throw policyInvalid(found.errors);
  return found;
}

/**
 * The text of the project's policy file, even if it is invalid; null if there is no file. Throws FluffyError
 * `policy_invalid` if it can't be read.
 */
export async function readProjectText(projectRoot: string): Promise<ProjectText | null> {
  const read = await readProjectPolicyText(projectRoot);
  if (read.kind === 'missing') return null;
  if (read.kind === 'unreadable') throw policyInvalid([readError(read)]);
  return { text: read.text, sha256: sha256Of(read.text) };
}

/**
 * Changes with the project's text and with its signature. While it is the same, `openPolicy` would find the same policy
 * again.
 */
export async function policyStamp({ projectRoot, isSigned }: PolicySources): Promise<string> {
  const project = await readProjectText(projectRoot);
  return project === null ? 'none' : `${project.sha256} ${String(await isSigned(project.sha256))}`;
}

/** `tryPolicyText` for the kernel. Throws FluffyError `policy_invalid` if the shipped policy cannot be used. */
export async function tryPolicy(sources: Omit<PolicySources, 'isSigned'>, text: string): Promise<TriedPolicy> {
  return tryPolicyText(sources, text);
}

export function policyInvalid(errors: readonly PolicyDiagnostic[]): FluffyError {
  return new FluffyError({
    code: 'policy_invalid',
    what: 'The policy cannot be used',
    why: errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('; '),
    fix: 'Fix the file there; fluffy config policy check shows what is wrong',
    exitCode: EXIT.usage,
  });
}
