import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PolicyDiagnostic } from '../../contracts/policy.ts';
import type { ProtectedLocations } from '../../contracts/protected-locations.ts';
import { combinePolicies, loadPolicy, withSources } from '../policy/index.ts';
import type { CompiledPolicy, LoadedPolicy } from '../policy/index.ts';
import { readExtensionSource } from './extension-source.ts';
import { PROJECT_POLICY, readError, readPolicyText, readProjectPolicyText, sha256Of } from './read-policy-text.ts';
import type { PolicyText } from './read-policy-text.ts';

export interface PolicyParts {
  /** The shipped policy. */
  readonly shippedFile: string;
  /** The project's real path; null outside of any project, where only the shipped policy is in force. */
  readonly projectRoot: string | null;
  /** Fluffy's own files inside the project. */
  readonly locations?: ProtectedLocations | undefined;
  /** Whether the user has signed the text with this SHA-256. */
  readonly isSigned: (sha256: string) => boolean | Promise<boolean>;
}

export type PolicyInForce =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      /** The shipped policy without the project's. */
      readonly shipped: CompiledPolicy;
      /** null: the project has no policy. */
      readonly project: { readonly text: string; readonly sha256: string; readonly signed: boolean } | null;
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | InvalidPolicy;

export type TriedPolicy =
  | {
      readonly kind: 'ok';
      readonly policy: CompiledPolicy;
      readonly shipped: CompiledPolicy;
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | InvalidPolicy;

/**
 * A policy from a cloned repository was read by nobody yet, so parsing it must not be expensive. The shipped policy has
 * 20 KB.
 */
export const MAX_UNSIGNED_BYTES = 256 * 1024;

interface InvalidPolicy {
  readonly kind: 'invalid';
  readonly errors: readonly PolicyDiagnostic[];
  readonly warnings: readonly PolicyDiagnostic[];
}

/**
 * Finds the policy of a project, for the kernel and the command line alike: the shipped policy, narrowed by the
 * project's policy, or extended by it if the user has signed exactly its text. Only a missing project policy means the
 * shipped policy alone; a policy that cannot be used is an error.
 */
export async function policyInForce(parts: PolicyParts): Promise<PolicyInForce> {
  const { shippedFile, projectRoot, locations } = parts;
  const shipped = await loadShipped(shippedFile, locations);
  if (shipped.kind === 'invalid') return shipped;
  const alone = { kind: 'ok', policy: shipped.policy, shipped: shipped.policy, project: null } as const;
  if (projectRoot === null) return { ...alone, warnings: shipped.warnings };
  const read = await readProjectPolicyText(projectRoot);
  if (read.kind === 'missing')
    return { ...alone, warnings: [...shipped.warnings, ...(await misnamedPolicies(projectRoot, shippedFile))] };
  if (read.kind === 'unreadable') return { kind: 'invalid', errors: [readError(read)], warnings: shipped.warnings };
  const sha256 = sha256Of(read.text);
  const signed = await parts.isSigned(sha256);
  const tried = await combine(projectRoot, shipped, read.text, signed);
  const warnings = [...shipped.warnings, ...tried.warnings];
  return tried.kind === 'invalid'
    ? { ...tried, warnings }
    : { ...tried, warnings, project: { text: read.text, sha256, signed } };
}

/**
 * The policy that results if `text` were the project's signed policy. Reads the shipped policy and the extensions that
 * the text names.
 */
export async function tryPolicyText(
  { shippedFile, projectRoot, locations }: Omit<PolicyParts, 'isSigned'> & { readonly projectRoot: string },
  text: string,
): Promise<TriedPolicy> {
  const shipped = await loadShipped(shippedFile, locations);
  return shipped.kind === 'invalid' ? shipped : combine(projectRoot, shipped, text, true);
}

/** Loads a policy file that the user has named, alone, with its extensions. */
export async function loadPolicyFile(file: string, locations?: ProtectedLocations): Promise<LoadedPolicy> {
  const loaded = loadText(await readPolicyText(file), locations);
  if (loaded.kind === 'invalid') return loaded;
  const read = (entry: string) => readExtensionSource(dirname(file), entry);
  const whole = await withSources(loaded.policy, read, { file, locate: loaded.locate });
  return whole.kind === 'ok' ? { ...loaded, ...whole } : { ...whole, warnings: loaded.warnings };
}

async function loadShipped(file: string, locations: ProtectedLocations | undefined): Promise<LoadedPolicy> {
  const read = await readPolicyText(file);
  return loadText({ ...read, file: 'policy.yaml' }, locations);
}

/** Here a missing file is an error. */
function loadText(text: PolicyText, locations?: ProtectedLocations): LoadedPolicy {
  if (text.kind === 'text') return loadPolicy(text.text, text.file, { locations });
  return { kind: 'invalid', errors: [readError(text)], warnings: [] };
}

/** Warnings for files whose name is nearly that of a policy. They have no effect. */
async function misnamedPolicies(projectRoot: string, shippedFile: string): Promise<readonly PolicyDiagnostic[]> {
  const warnings: PolicyDiagnostic[] = [];
  for (const file of ['.fluffy/policy.yml', '.fluffy/policy.json', 'policy.yaml']) {
    const path = join(projectRoot, file);
    if (path === shippedFile || (await lstat(path).catch(() => null))?.isFile() !== true) continue;
    const message = `this file is not a policy of fluffy: the policy of a project is ${PROJECT_POLICY}`;
    warnings.push({ file, line: 1, column: 1, message, severity: 'warning' });
  }
  return warnings;
}

function invalidAt(message: string): InvalidPolicy {
  const error = { file: PROJECT_POLICY, line: 1, column: 1, message, severity: 'error' } as const;
  return { kind: 'invalid', errors: [error], warnings: [] };
}

/** Why a section has no effect, so that its author does not rely on it. */
const WITHOUT_EFFECT = {
  network_whitelist: 'no tool and no test run has a network, so a list of hosts opens nothing',
} as const;

function withoutEffect({ document, locate }: Extract<LoadedPolicy, { kind: 'ok' }>): readonly PolicyDiagnostic[] {
  return Object.entries(WITHOUT_EFFECT)
    .filter(([section]) => document[section as keyof typeof WITHOUT_EFFECT] !== undefined)
    .map(([section, why]) => {
      const message = `${section} has no effect: ${why}`;
      return { file: PROJECT_POLICY, ...locate([section], true), message, severity: 'warning' as const };
    });
}

async function combine(
  projectRoot: string,
  shipped: Extract<LoadedPolicy, { kind: 'ok' }>,
  text: string,
  signed: boolean,
): Promise<TriedPolicy> {
  if (!signed && Buffer.byteLength(text) > MAX_UNSIGNED_BYTES) {
    const message = `the file has more than ${MAX_UNSIGNED_BYTES} bytes, the most that a policy without your signature may have`;
    return invalidAt(message);
  }
  const project = loadPolicy(text, PROJECT_POLICY);
  if (project.kind === 'invalid') return project;
  const combined = combinePolicies(shipped, project, { signed, file: PROJECT_POLICY });
  if (combined.kind === 'invalid') return { ...combined, warnings: project.warnings };
  const directory = dirname(join(projectRoot, PROJECT_POLICY));
  const read = (entry: string) => readExtensionSource(directory, entry);
  const whole = await withSources(combined.policy, read, { file: PROJECT_POLICY, locate: project.locate });
  const warnings = [...project.warnings, ...withoutEffect(project), ...combined.warnings];
  return whole.kind === 'ok' ? { ...whole, shipped: shipped.policy, warnings } : { ...whole, warnings };
}
