import type { Clock } from '../../contracts/ports/clock.ts';
import { loadEntryRecords } from './entry-records.ts';
import type { StampProject } from './project-stamp.ts';
import { createStamper } from './project-stamp.ts';
import type { ProjectStamps } from './project-stamps.ts';
import { createProjectStamps } from './project-stamps.ts';
import type { ClosedFiles } from './view/closed-files.ts';
import { createClosedFiles } from './view/closed-files.ts';
import { loadTreeWatch } from './tree-watch.ts';
import { loadOverlayAttributes } from './xattr.ts';

/**
 * What the workspaces of one project share: the files that policy hides, the names in it, and its last observed state.
 */
export interface ProjectMemory {
  readonly closedFiles: ClosedFiles;
  readonly stampProject: StampProject;
  readonly stamps: ProjectStamps;
}

export async function createProjectMemory(clock: Clock): Promise<ProjectMemory> {
  const records = await loadEntryRecords();
  return {
    closedFiles: createClosedFiles({ records, attributes: await loadOverlayAttributes(), clock }),
    stampProject: createStamper({ records, clock, openWatch: await loadTreeWatch() }),
    stamps: createProjectStamps(clock),
  };
}
