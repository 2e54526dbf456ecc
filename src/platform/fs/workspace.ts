import { closeSync, fstatSync } from 'node:fs';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import type { SessionId } from '../../contracts/ids.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { Random } from '../../contracts/ports/random.ts';
import type { StageOutcome, Workspace } from '../../contracts/ports/workspace.ts';
import { ordinaryGitDirectories } from '../../lib/git/git-directories.ts';
import { pinRoot, throughFd } from './descriptors.ts';
import { dropStaged } from './staging/drop-staged.ts';
import { ignoreSourcesOf, ignoreViewOf, rememberedIgnoreView } from './ignore/union-ignore.ts';
import { digestLayer } from './union/layer-digest.ts';
import type { LayerStore } from './layers/layer-store.ts';
import { createMutex, withLock } from './mutex.ts';
import { openOriginals } from './staging/originals.ts';
import { runDiscarding } from './scratch/discarding-operation.ts';
import { runOverlay } from './scratch/overlay-operation.ts';
import type { OverlayContext } from './scratch/overlay-operation.ts';
import { createProjectMemory } from './project-memory.ts';
import type { ProjectMemory } from './project-memory.ts';
import { globUnion } from './ripgrep/glob-union.ts';
import { searchByIgnoreFiles } from './ripgrep/odd-ignore-files.ts';
import type { SearchContext } from './ripgrep/grep-union.ts';
import { grepUnion } from './ripgrep/grep-union.ts';
import type { ScratchLimits } from './scratch/scan-scratch.ts';
import { sessionChanges } from './session-changes.ts';
import { sessionDiff } from './session-diff.ts';
import type { SlotPool } from './slots.ts';
import type { StagingContext } from './staging/stage-file.ts';
import { stageFile } from './staging/stage-file.ts';
import { readStagedIndex } from './staging/staged-index.ts';
import { closeStaging, openStaging } from './staging/staging-layout.ts';
import type { UnionRoots } from './union/union-walk.ts';
import { planView } from './view/plan-view.ts';
import { loadWhiteouts } from './view/whiteout.ts';
import { workspaceReads } from './workspace-reads.ts';
import { loadOpaqueMarks } from './xattr.ts';

const MIB = 1024 * 1024;

export interface WorkspaceOptions {
  /** Real, absolute path of the project. */
  readonly projectRoot: string;
  /** Set for a linked worktree; absent if `.git` is a directory of the project. */
  readonly linked?: GitDirectories;
  /** The kernel's own directory; it may be on another file system than the project. */
  readonly stateDir: string;
  readonly session: SessionId;
  /** One pool for all workspaces of a state directory. */
  readonly slots: SlotPool;
  readonly clock: Clock;
  readonly random: Random;
  readonly ripgrepPath: string;
  /** Shared by all workspaces of a project; default: a new one. */
  readonly memory?: ProjectMemory;
  /** Installed packages; default: only the project's own. */
  readonly layers?: Pick<LayerStore, 'find'>;
  readonly limits?: Partial<WorkspaceLimits>;
}

export interface WorkspaceLimits {
  /** Limits of what one overlay operation may leave behind. */
  readonly scratch: ScratchLimits;
  /** Of a larger original only the hash is stored; diffs say so. */
  readonly maxOriginalBytes: number;
  readonly searchDeadlineMs: number;
}

const DEFAULT_LIMITS: WorkspaceLimits = {
  scratch: { maxEntries: 100_000, maxBytes: 1024 * MIB, maxFileBytes: 256 * MIB, maxDepth: 100 },
  maxOriginalBytes: 32 * MIB,
  searchDeadlineMs: 10_000,
};

/**
 * Opens a session's view of the project. `recoverStaging` must have run once for the state directory before. Throws if
 * project or state directory is missing, or if the file system of the state directory has no user attributes.
 */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace & { close(): Promise<void> }> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { projectRoot, random, clock, linked } = options;
  const marks = await loadOpaqueMarks();
  const whiteoutsFrom = await loadWhiteouts();
  const { closedFiles, stampProject, stamps } = options.memory ?? (await createProjectMemory(clock));
  const project = pinRoot(projectRoot);
  const directories = openStaging(options.stateDir, options.session);
  const roots: UnionRoots = {
    projectRoot,
    marks,
    root: { kind: 'directory', staging: directories.layer, project, stat: fstatSync(project) },
    ...(linked === undefined ? {} : { linked }),
  };
  const projectAlone: UnionRoots = { ...roots, root: { ...roots.root, staging: null } };
  const git = linked ?? ordinaryGitDirectories(throughFd(project));
  const originals = openOriginals(directories, random);
  const staging: StagingContext = { roots, directories, originals, random, maxOriginalBytes: limits.maxOriginalBytes };
  const lock = createMutex();
  const unsettled = new Set<() => void>();
  let generation = 1;

  const ignoreView = rememberedIgnoreView(roots, clock, () => generation);

  const bumpGeneration = (): number => {
    generation += 1;
    return generation;
  };

  const stage: Workspace['stage'] = (path, before, bytes, executable) =>
    withLock(lock, async (): Promise<StageOutcome> => {
      const outcome = await stageFile(staging, { path, before, bytes, executable });
      return outcome.kind === 'staged' ? { kind: 'staged', generation: bumpGeneration() } : outcome;
    });

  const reset = (): Promise<void> =>
    withLock(lock, async () => {
      dropStaged(staging);
      bumpGeneration();
    });

  const overlays: OverlayContext = {
    staging,
    slots: options.slots,
    limits: limits.scratch,
    lock,
    unsettled,
    stamps,
    takeStamp: () => stampProject({ project, sources: ignoreSourcesOf(projectAlone), git }),
    ignoreView: () => ignoreViewOf(roots),
    planView: (wanted) =>
      planView({ roots, project, closedFiles, staged: () => originals.all().map((original) => original.path) }, wanted),
    layers: (view) => options.layers?.find(roots, view?.overrides) ?? [],
    whiteouts: (slot) => whiteoutsFrom(slot.whiteout),
    bumpGeneration,
  };
  const discarding = new Set<Promise<unknown>>();
  const searches = searchesIn(project, () => searchContext(options, limits, staging));

  return {
    ...workspaceReads(roots, ignoreView),
    ...searches,
    stage,
    overlay: (run, view) => runOverlay(overlays, run, view),
    discarding: (run, view) => {
      const running = runDiscarding(overlays, run, view).finally(() => discarding.delete(running));
      discarding.add(running);
      return running;
    },
    changes: () => sessionChanges(roots, directories.layer, originals),
    diff: () => sessionDiff(staging, projectAlone, limits.scratch.maxFileBytes),
    stagingDigest: () => digestLayer(directories.layer, marks),
    get generation() {
      return generation;
    },
    reset,
    close: async () => {
      for (const settle of unsettled) settle();
      // These operations read the directories that are closed below.
      await Promise.allSettled(discarding);
      const unlock = await lock.acquire();
      closeStaging(directories);
      closeSync(project);
      unlock();
    },
  };
}

/** `context` is called for each search. */
function searchesIn(project: number, context: () => SearchContext): Pick<Workspace, 'glob' | 'grep'> {
  const searching = <T>(
    signal: AbortSignal,
    search: (context: SearchContext, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const goingByFiles = context();
    const goingByNothing = { ...goingByFiles, ignoreFilesDiffer: true };
    return searchByIgnoreFiles(throughFd(project), signal, (goBy, stop) =>
      search(goBy === 'nothing' ? goingByNothing : goingByFiles, stop),
    );
  };
  return {
    glob: (pattern, path, maxResults) =>
      searching(new AbortController().signal, (at, signal) =>
        globUnion({ context: at, signal }, pattern, path, maxResults),
      ),
    grep: (query, signal) => searching(signal, (at, stop) => grepUnion(at, query, stop)),
  };
}

function searchContext(
  { ripgrepPath, clock }: WorkspaceOptions,
  { searchDeadlineMs }: WorkspaceLimits,
  { roots, directories, originals }: StagingContext,
): SearchContext {
  return {
    roots,
    ripgrepPath,
    clock,
    deadlineMs: searchDeadlineMs,
    staged: readStagedIndex(directories.layer, roots.marks),
    ignored: ignoreViewOf(roots),
    ignoreFilesDiffer: originals.all().some(({ path }) => path.split('/').at(-1) === '.gitignore'),
  };
}
