import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import { booleanSetting, lastSetting } from '../../lib/git/git-config.ts';
import type { GitSetting } from '../../lib/git/git-config.ts';
import { gitFile, isLinked } from '../../lib/git/git-directories.ts';
import { shortRefName } from '../../lib/git/ref-name.ts';
import { findIdentity } from '../../platform/git/identity.ts';
import type { Identity, IdentityEnvironment } from '../../platform/git/identity.ts';
import { readWholeFile } from '../../platform/git/read-file.ts';
import { readRepositorySettings } from '../../platform/git/repository-format.ts';
import { openRepository } from '../../platform/git/repository.ts';
import { readUserConfig } from '../../platform/git/user-config.ts';
import type { GitEnvironment } from '../../platform/git/user-config.ts';
import { accessProblem } from './check-access.ts';
import { findRepository } from './find-repository.ts';
import { projectError } from './project-problem.ts';
import type { ProjectProblem } from './project-problem.ts';

export type ProjectEnvironment = GitEnvironment & IdentityEnvironment;

export interface DetectOptions {
  readonly allowRoot?: boolean;
  /** Default: the uid of this process. */
  readonly invokerUid?: number;
  /** For commands that make no commit: a missing author name or e-mail address is no problem. */
  readonly commitsNothing?: boolean;
}

export interface Project {
  /** Real path of the repository's working tree. */
  readonly root: string;
  readonly git: GitDirectories;
  /** The user's working directory, relative to the project; '' is the project root. */
  readonly cwd: string;
  /** Owner of the project: every container runs as it. */
  readonly uid: number;
  readonly gid: number;
  /** Short name, e.g. `main`. */
  readonly branch: string;
  readonly head: ObjectId;
  readonly identity: Identity;
  /** The user's own git settings turn CRLF into LF. */
  readonly autocrlf: boolean;
  /** Some paths go through Git LFS; changes to those cannot be committed. */
  readonly lfs: boolean;
}

export type ProjectOutcome =
  { readonly kind: 'ok'; readonly project: Project } | { readonly kind: 'problem'; readonly error: FluffyError };

/** Containers mount the project at its own path, with room left for the longest path inside (PATH_MAX is 4096). */
const MAX_ROOT_BYTES = 1024;
const NO_AUTHOR: Identity = { name: 'nobody', email: 'nobody@invalid' };
const MAX_ATTRIBUTES_BYTES = 1024 * 1024;

/**
 * Examines the project that contains `dir`, without running git and without writing. A `ProjectProblem` becomes an error with exit
 * code 2; exceptions are broken infrastructure.
 */
export async function detectProject(
  dir: string,
  env: ProjectEnvironment,
  options: DetectOptions = {},
): Promise<ProjectOutcome> {
  const fail = (problem: ProjectProblem, at = dir): ProjectOutcome => ({
    kind: 'problem',
    error: projectError(problem, at),
  });
  const start = await startDirectory(dir);
  if (typeof start !== 'string') return fail(start);
  try {
    const found = await findRepository(start);
    if (found.kind === 'problem') return fail(found.problem, start);
    const { root, git } = found;
    if (Buffer.byteLength(root) > MAX_ROOT_BYTES) {
      return fail({ kind: 'path-unusable', why: `it has more than ${MAX_ROOT_BYTES} bytes` }, root);
    }
    const owner = await stat(root);
    const invokerUid = options.invokerUid ?? process.getuid?.() ?? owner.uid;
    const denied = await accessProblem({ root, git }, owner, invokerUid, options.allowRoot ?? false);
    if (denied !== null) return fail(denied, root);

    const { settings } = await readRepositorySettings(git);
    // Worktrees can be linked to a bare repository.
    if (!isLinked(git) && booleanSetting(settings, 'core.bare') === true) return fail({ kind: 'bare' }, root);
    const repository = openRepository(git);
    const state = await repository.state().finally(() => repository.close());
    if (state.kind === 'problem') return fail(state.problem, root);

    const user = await readUserConfig(env, git.gitDir);
    if (user.kind === 'invalid') return fail({ kind: 'config-invalid', file: user.file, line: user.line }, root);
    const identity =
      findIdentity([...user.settings, ...settings], env) ?? (options.commitsNothing === true ? NO_AUTHOR : null);
    if (identity === null) return fail({ kind: 'no-identity' }, root);

    const { branchRef, head } = state.state;
    const project: Project = {
      root,
      git,
      cwd: relative(root, start),
      uid: owner.uid,
      gid: owner.gid,
      branch: shortRefName(branchRef),
      head,
      identity,
      autocrlf: turnsIntoLineFeeds(user.settings),
      lfs: await usesLfs(root, git),
    };
    return { kind: 'ok', project };
  } catch (error) {
    if (error instanceof FluffyError) return { kind: 'problem', error };
    throw error;
  }
}

/** The real path of `dir`, if containers, mounts and logs can represent it. */
async function startDirectory(dir: string): Promise<string | ProjectProblem> {
  let bytes: Buffer;
  try {
    bytes = await realpath(dir, { encoding: 'buffer' });
    if (!(await stat(bytes)).isDirectory()) return { kind: 'missing' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENAMETOOLONG') return { kind: 'path-unusable', why: 'it is longer than the system allows' };
    if (code === 'EACCES') return { kind: 'path-unusable', why: 'a directory on the way to it may not be entered' };
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ERR_INVALID_ARG_VALUE') return { kind: 'missing' };
    throw error;
  }
  const path = bytes.toString('utf8');
  if (!Buffer.from(path).equals(bytes)) return { kind: 'path-unusable', why: 'it is not valid UTF-8' };
  if (/\p{Cc}/u.test(path)) return { kind: 'path-unusable', why: 'it contains a control character' };
  return path;
}

/** Both `true` and `input` do so when a file is added. */
function turnsIntoLineFeeds(settings: readonly GitSetting[]): boolean {
  return (
    lastSetting(settings, 'core.autocrlf')?.toLowerCase() === 'input' ||
    booleanSetting(settings, 'core.autocrlf') === true
  );
}

async function usesLfs(root: string, git: GitDirectories): Promise<boolean> {
  for (const path of [join(root, '.gitattributes'), gitFile(git, 'info/attributes')]) {
    const text = (await readWholeFile(path, MAX_ATTRIBUTES_BYTES).catch(() => null))?.toString('utf8') ?? '';
    if (/^[^#\n]*\sfilter=lfs(\s|$)/m.test(text)) return true;
  }
  return false;
}
