import { setTimeout } from 'node:timers/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import type { Repository, RepositoryProblem, RepositoryStateOutcome } from '../../contracts/ports/repository.ts';
import { parseCommitLinks } from '../../lib/git/commit.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import { indexDamage, parseIndex } from '../../lib/git/git-index.ts';
import type { GitObject } from '../../lib/git/object-id.ts';
import { objectUnreadable, repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { parseTree } from '../../lib/git/tree.ts';
import { foreignLock } from './foreign-lock.ts';
import { openObjectDatabase } from './object-database.ts';
import { operationInProgress } from './operation-in-progress.ts';
import { readWholeFile } from './read-file.ts';
import { readRef, resolveRef } from './refs.ts';
import { readRepositorySettings, unsupportedFeature } from './repository-format.ts';

const MAX_COMMIT_BYTES = 4 * 1024 * 1024;
const MAX_ATTRIBUTES_BYTES = 1024 * 1024;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const REBUILD_INDEX =
  'Build it again: move `.git/index` away, then run `git reset`. Files do not change; stage your changes again.';

/** Opens the repository of a working tree. No program runs; nothing is written. */
export function openRepository(git: GitDirectories, pause: (ms: number) => Promise<unknown> = setTimeout): Repository {
  const objects = openObjectDatabase(gitFile(git, 'objects'));

  /** The tree of HEAD. It must exist: everything is compared with it and composed from it. */
  async function treeOf(commit: ObjectId): Promise<ObjectId> {
    const object = await objects.read(commit, MAX_COMMIT_BYTES);
    const links = object?.type === 'commit' ? parseCommitLinks(object.content) : null;
    if (links === null) throw objectUnreadable(commit, object, 'commit');
    const tree = await objects.read(links.tree);
    if (tree?.type !== 'tree' || parseTree(tree.content) === null) throw objectUnreadable(links.tree, tree, 'tree');
    return links.tree;
  }

  /**
   * git refuses a damaged index in every command. An index that the merge cannot write is reported now, before any work
   * is done.
   */
  async function indexProblem(): Promise<RepositoryProblem | null> {
    const path = gitFile(git, 'index');
    const bytes = await readWholeFile(path, MAX_INDEX_BYTES);
    if (bytes === null) return null;
    const damage = indexDamage(bytes);
    if (damage !== null) throw repositoryUnreadable(path, `the index is damaged: ${damage}`, undefined, REBUILD_INDEX);
    const parsed = parseIndex(bytes);
    return parsed.kind === 'unsupported' ? { kind: 'index-unsupported', what: parsed.what } : null;
  }

  return {
    async state(): Promise<RepositoryStateOutcome> {
      const { settings, fileMode } = await readRepositorySettings(git);
      const unsupported = await unsupportedFeature(git, settings);
      if (unsupported !== null) return { kind: 'problem', problem: { kind: 'unsupported', what: unsupported } };
      const operation = await operationInProgress(git);
      if (operation !== null) return { kind: 'problem', problem: { kind: 'operation-in-progress', what: operation } };
      const head = await resolveRef(git, 'HEAD');
      if (head.kind === 'invalid') throw repositoryUnreadable(gitFile(git, head.name), 'it is not a ref');
      if (head.name === 'HEAD') {
        if (head.kind === 'unborn') throw repositoryUnreadable(gitFile(git, 'HEAD'), 'it is missing');
        return { kind: 'problem', problem: { kind: 'detached-head' } };
      }
      if (!head.name.startsWith('refs/heads/')) {
        return {
          kind: 'problem',
          problem: { kind: 'unsupported', what: `HEAD on ${head.name}, which is not a branch` },
        };
      }
      if (head.kind === 'unborn') return { kind: 'problem', problem: { kind: 'no-commit' } };
      const headTree = await treeOf(head.id);
      const locks = ['index', 'HEAD', head.name].map((name) => gitFile(git, `${name}.lock`));
      const locked = await foreignLock(locks, pause);
      if (locked !== null) return { kind: 'problem', problem: { kind: 'locked', path: locked } };
      const problem = await indexProblem();
      if (problem !== null) return { kind: 'problem', problem };
      return { kind: 'ok', state: { branchRef: head.name, head: head.id, headTree, fileMode } };
    },
    readObject: (id: ObjectId, maxBytes?: number): Promise<GitObject | null> => objects.read(id, maxBytes),
    readRef: (name) => readRef(git, name),
    attributes: () => readWholeFile(gitFile(git, 'info/attributes'), MAX_ATTRIBUTES_BYTES).catch(() => null),
    close: () => objects.close(),
  };
}
