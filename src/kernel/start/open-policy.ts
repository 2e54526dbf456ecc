import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { IsSignedPolicy } from '../../contracts/ports/host-doors.ts';
import type { PolicyDiagnostic } from '../../contracts/policy.ts';
import type { ProtectedLocations } from '../../contracts/protected-locations.ts';
import { readExtensionSource } from './extension-source.ts';
import { combinePolicies, loadPolicy, withSources } from '../policy/index.ts';
import type { CompiledPolicy, LoadedPolicy } from '../policy/index.ts';

export interface PolicySources {
  /** The policy that ships: a file of the kernel's image. */
  readonly shippedFile: string;
  readonly projectRoot: string;
  /** What is Fluffy's own inside the project. */
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

export type TriedPolicy =
  | { readonly kind: 'ok'; readonly policy: CompiledPolicy; readonly warnings: readonly PolicyDiagnostic[] }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    };

export const PROJECT_POLICY = '.fluffy/policy.yaml';

/** More is not read: whoever wrote the repository could fill the memory of the kernel with it. */
const MAX_POLICY_BYTES = 8 * 1024 * 1024;

type Loaded = Extract<LoadedPolicy, { kind: 'ok' }>;

/**
 * The policy in force: the shipped one, narrowed or, if the user signed exactly its text, extended by the project's. Throws FluffyError
 * `policy_invalid` for a policy that is there and cannot be used; only a missing project policy means the shipped one alone.
 */
export async function openPolicy(sources: PolicySources): Promise<OpenedPolicy> {
  const shipped = await loadShipped(sources);
  const project = await readProjectText(sources.projectRoot);
  if (project === null) return { policy: shipped.policy, warnings: shipped.warnings, project };
  const tried = await combine(sources.projectRoot, shipped, project.text, await sources.isSigned(project.sha256));
  if (tried.kind === 'invalid') throw invalid(tried.errors);
  return { policy: tried.policy, warnings: [...shipped.warnings, ...tried.warnings], project };
}

/** What is in the project's policy file, whatever it says; null if there is none. Throws FluffyError `policy_invalid` if it can't be read. */
export async function readProjectText(projectRoot: string): Promise<ProjectText | null> {
  const text = await readProjectPolicy(join(projectRoot, PROJECT_POLICY));
  return text === null ? null : { text, sha256: createHash('sha256').update(text, 'utf8').digest('hex') };
}

/** Changes with the project's text and with its signature: as long as it stays, `openPolicy` would find what it has found before. */
export async function policyStamp({ projectRoot, isSigned }: PolicySources): Promise<string> {
  const project = await readProjectText(projectRoot);
  return project === null ? 'none' : `${project.sha256} ${String(await isSigned(project.sha256))}`;
}

/** A text for the project's policy as it would count once it is in place and signed. Read are only what ships and the extensions that it names. */
export async function tryPolicy(sources: Omit<PolicySources, 'isSigned'>, text: string): Promise<TriedPolicy> {
  return combine(sources.projectRoot, await loadShipped(sources), text, true);
}

async function loadShipped({
  shippedFile,
  locations,
}: Pick<PolicySources, 'shippedFile' | 'locations'>): Promise<Loaded> {
  const shipped = loadPolicy(await readFile(shippedFile, 'utf8'), 'policy.yaml', { locations });
  if (shipped.kind === 'invalid') throw invalid(shipped.errors);
  return shipped;
}

async function combine(projectRoot: string, shipped: Loaded, text: string, signed: boolean): Promise<TriedPolicy> {
  const project = loadPolicy(text, PROJECT_POLICY);
  if (project.kind === 'invalid') return project;
  const combined = combinePolicies(shipped, project, { signed, file: PROJECT_POLICY });
  if (combined.kind === 'invalid') return { ...combined, warnings: project.warnings };
  const directory = dirname(join(projectRoot, PROJECT_POLICY));
  const read = (entry: string) => readExtensionSource(directory, entry);
  const whole = await withSources(combined.policy, read, { file: PROJECT_POLICY, locate: project.locate });
  return { ...whole, warnings: [...project.warnings, ...combined.warnings] };
}

/** A link in place of the file is refused: it could point at a policy that the user signed for another project. */
async function readProjectPolicy(file: string): Promise<string | null> {
  try {
    if ((await lstat(dirname(file))).isSymbolicLink()) throw new Error('.fluffy is a link');
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Error('it is no regular file');
      if (found.size > MAX_POLICY_BYTES) throw new Error(`it is larger than ${MAX_POLICY_BYTES} bytes`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const message = `the file can't be read: ${error instanceof Error ? error.message : String(error)}`;
    throw invalid([{ file: PROJECT_POLICY, line: 1, column: 1, message, severity: 'error' }]);
  }
}

function invalid(errors: readonly PolicyDiagnostic[]): FluffyError {
  return new FluffyError({
    code: 'policy_invalid',
    what: 'The policy cannot be used',
    why: errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('; '),
    fix: 'Mend it there; fluffy config policy check says when it is right',
    exitCode: EXIT.usage,
  });
}
