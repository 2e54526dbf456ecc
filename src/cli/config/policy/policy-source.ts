import { dirname, join } from 'node:path';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import type { ProtectedLocations } from '../../../contracts/protected-locations.ts';
import { readExtensionSource } from '../../../kernel/start/extension-source.ts';
import { combinePolicies, loadPolicy, withSources } from '../../../kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../kernel/policy/index.ts';
import { readPolicyText, readProjectPolicyText } from './policy-text.ts';
import type { PolicyText } from './policy-text.ts';

/** Where a command takes its policy from. `installRoot` holds the `policy.yaml` that ships. */
export type PolicySource =
  | { readonly kind: 'file'; readonly file: string; readonly locations?: ProtectedLocations }
  | {
      readonly kind: 'project';
      /** What is Fluffy's own inside the project. */
      readonly locations?: ProtectedLocations;
      readonly installRoot: string;
      /** The project's real path, or null outside of any project: the shipped policy alone is then in force. */
      readonly projectRoot: string | null;
      /** SHA-256 of the project policies that this user has signed. */
      readonly trustedHashes: ReadonlySet<string>;
    };

export type PolicyInForce =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      readonly warnings: readonly PolicyDiagnostic[];
      /** The files it is made of; `signed` says whether the project's counts in full. */
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

export const PROJECT_POLICY = '.fluffy/policy.yaml';

/** Reads and combines. A project policy that is there but can't be read, is empty or is invalid is an error, never a default. */
export async function policyInForce(source: PolicySource): Promise<PolicyInForce> {
  if (source.kind === 'file') {
    const loaded = loadText(await readPolicyText(source.file), source.locations);
    if (loaded.kind === 'invalid') return loaded;
    const files = [{ file: source.file, role: 'file' as const, signed: true }];
    const whole = await withExtensions(loaded.policy, dirname(source.file), source.file, loaded.locate);
    return whole.kind === 'ok'
      ? { ...whole, warnings: loaded.warnings, files }
      : { ...whole, warnings: loaded.warnings };
  }
  const shippedFile = join(source.installRoot, 'policy.yaml');
  const shipped = await loadShipped(source.installRoot, source.locations);
  if (shipped.kind === 'invalid') return shipped;
  const files = [{ file: shippedFile, role: 'shipped' as const, signed: true }];
  const alone = { kind: 'ok' as const, policy: shipped.policy, warnings: shipped.warnings, files };
  if (source.projectRoot === null) return alone;

  const text = await readProjectPolicyText(join(source.projectRoot, PROJECT_POLICY));
  if (text.kind === 'missing') return alone;
  const project = loadText(text);
  if (project.kind === 'invalid') return project;
  const signed = source.trustedHashes.has(project.policy.hash);
  const combined = combinePolicies(shipped, project, { signed, file: text.file });
  const warnings = [...shipped.warnings, ...project.warnings];
  if (combined.kind === 'invalid') return { kind: 'invalid', errors: combined.errors, warnings };
  warnings.push(...combined.warnings);
  const whole = await withExtensions(combined.policy, dirname(text.file), text.file, project.locate);
  if (whole.kind === 'invalid') return { ...whole, warnings };
  return { ...whole, warnings, files: [...files, { file: text.file, role: 'project', signed }] };
}

/** Extensions are beside the file that names them: in `directory`. `file` is the name that diagnostics carry. */
export function withExtensions(
  policy: CompiledPolicy,
  directory: string,
  file: string,
  locate: Extract<ReturnType<typeof loadPolicy>, { kind: 'ok' }>['locate'],
): ReturnType<typeof withSources> {
  return withSources(policy, (entry) => readExtensionSource(directory, entry), { file, locate });
}

/** The policy that ships, by itself. */
export async function loadShipped(
  installRoot: string,
  locations?: ProtectedLocations,
): Promise<ReturnType<typeof loadPolicy>> {
  return loadText(await readPolicyText(join(installRoot, 'policy.yaml')), locations);
}

/** A missing file is an error here: who asks for a default does so before. */
export function loadText(text: PolicyText, locations?: ProtectedLocations): ReturnType<typeof loadPolicy> {
  if (text.kind === 'text') return loadPolicy(text.text, text.file, { locations });
  const message = text.kind === 'missing' ? 'there is no such file' : `the file can't be read: ${text.why}`;
  return {
    kind: 'invalid',
    errors: [{ file: text.file, line: 1, column: 1, message, severity: 'error' }],
    warnings: [],
  };
}
