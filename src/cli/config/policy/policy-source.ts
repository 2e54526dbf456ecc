import { join } from 'node:path';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import type { ProtectedLocations } from '../../../contracts/protected-locations.ts';
import { loadPolicyFile, policyInForce } from '../../../kernel/policy-source/policy-in-force.ts';
import { PROJECT_POLICY } from '../../../kernel/policy-source/read-policy-text.ts';
import type { CompiledPolicy } from '../../../kernel/policy/index.ts';

/** Where a command gets its policy. `installRoot` contains the shipped `policy.yaml`. */
export type PolicySource =
  | { readonly kind: 'file'; readonly file: string; readonly locations?: ProtectedLocations }
  | {
      readonly kind: 'project';
      /** Fluffy's own files inside the project. */
      readonly locations?: ProtectedLocations;
      readonly installRoot: string;
      /** The project's real path; null outside of any project, where only the shipped policy is in force. */
      readonly projectRoot: string | null;
      /** SHA-256 of the project policies that this user has signed. */
      readonly trustedHashes: ReadonlySet<string>;
    };

export type FoundPolicy =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      readonly warnings: readonly PolicyDiagnostic[];
      /** Its files; `signed`: whether the project's policy has full effect. */
      readonly files: readonly {
        readonly file: string;
        readonly role: 'shipped' | 'project' | 'file';
        readonly signed: boolean;
      }[];
    }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    };

/** The policy of a command, and its files. */
export async function policyOf(source: PolicySource): Promise<FoundPolicy> {
  if (source.kind === 'file') {
    const loaded = await loadPolicyFile(source.file, source.locations);
    if (loaded.kind === 'invalid') return loaded;
    const { policy, warnings } = loaded;
    return { kind: 'ok', policy, warnings, files: [{ file: source.file, role: 'file', signed: true }] };
  }
  const { installRoot, projectRoot, locations, trustedHashes } = source;
  const shippedFile = join(installRoot, 'policy.yaml');
  const isSigned = (sha256: string) => trustedHashes.has(sha256);
  const found = await policyInForce({ shippedFile, projectRoot, locations, isSigned });
  if (found.kind === 'invalid') return found;
  const { policy, warnings, project } = found;
  const files = [{ file: shippedFile, role: 'shipped' as const, signed: true }];
  if (project === null || projectRoot === null) return { kind: 'ok', policy, warnings, files };
  const own = { file: join(projectRoot, PROJECT_POLICY), role: 'project' as const, signed: project.signed };
  return { kind: 'ok', policy, warnings, files: [...files, own] };
}
