import { dirname, join } from 'node:path';
import { combinePolicies, loadPolicy } from '../../../kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../kernel/policy/index.ts';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import { checkExtensions } from './check-extensions.ts';
import { PROJECT_POLICY, loadShipped, withExtensions } from './policy-source.ts';

export type CheckedText =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      /** The policy that ships, by itself. */
      readonly shipped: CompiledPolicy;
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    };

/** A text for a project's policy as it would count once it is signed, with the extensions that it names. Nothing is run. */
export async function checkText(
  { installRoot, projectRoot }: { readonly installRoot: string; readonly projectRoot: string },
  text: string,
): Promise<CheckedText> {
  const shipped = await loadShipped(installRoot);
  if (shipped.kind === 'invalid') return shipped;
  const project = loadPolicy(text, PROJECT_POLICY);
  if (project.kind === 'invalid') return project;
  const combined = combinePolicies(shipped, project, { signed: true, file: PROJECT_POLICY });
  if (combined.kind === 'invalid') return { ...combined, warnings: project.warnings };
  const warnings = [...project.warnings, ...combined.warnings];
  const directory = dirname(join(projectRoot, PROJECT_POLICY));
  const whole = await withExtensions(combined.policy, directory, PROJECT_POLICY, project.locate);
  if (whole.kind === 'invalid') return { kind: 'invalid', errors: whole.errors, warnings };
  const errors = await checkExtensions(whole.policy, dirname(PROJECT_POLICY));
  if (errors.length > 0) return { kind: 'invalid', errors, warnings };
  return { kind: 'ok', policy: whole.policy, shipped: shipped.policy, warnings };
}
