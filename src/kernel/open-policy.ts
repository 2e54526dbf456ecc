import { constants } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import type { PolicyDiagnostic } from '../contracts/policy.ts';
import { combinePolicies, loadPolicy } from './policy/index.ts';
import type { CompiledPolicy } from './policy/index.ts';

export interface OpenedPolicy {
  readonly policy: CompiledPolicy;
  readonly warnings: readonly PolicyDiagnostic[];
}

const PROJECT_POLICY = '.fluffy/policy.yaml';

/**
 * The policy in force: the shipped one, narrowed or, if the user signed exactly its text, extended by the project's. Throws FluffyError
 * `policy_invalid` for a policy that is there and cannot be used; only a missing project policy means the shipped one alone.
 */
export async function openPolicy(
  shippedFile: string,
  projectRoot: string,
  trusted: ReadonlySet<string>,
): Promise<OpenedPolicy> {
  const shipped = loadPolicy(await readFile(shippedFile, 'utf8'), 'policy.yaml');
  if (shipped.kind === 'invalid') throw invalid(shipped.errors);
  const text = await readProjectPolicy(join(projectRoot, PROJECT_POLICY));
  if (text === null) return { policy: shipped.policy, warnings: shipped.warnings };
  const project = loadPolicy(text, PROJECT_POLICY);
  if (project.kind === 'invalid') throw invalid(project.errors);
  const combined = combinePolicies(shipped, project, {
    signed: trusted.has(project.policy.hash),
    file: PROJECT_POLICY,
  });
  if (combined.kind === 'invalid') throw invalid(combined.errors);
  return { policy: combined.policy, warnings: [...shipped.warnings, ...project.warnings, ...combined.warnings] };
}

/** A link in place of the file is refused: it could point at a policy that the user signed for another project. */
async function readProjectPolicy(file: string): Promise<string | null> {
  try {
    if ((await lstat(dirname(file))).isSymbolicLink()) throw new Error('.fluffy is a link');
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) throw new Error('it is no regular file');
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
