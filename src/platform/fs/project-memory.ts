import type { Clock } from '../../contracts/ports/clock.ts';
import type { ProjectStamps } from './project-stamps.ts';
import { createProjectStamps } from './project-stamps.ts';
import type { ClosedFiles } from './view/closed-files.ts';
import { createClosedFiles } from './view/closed-files.ts';

/** What the workspaces of one project need not find out again: which files policy closes, and which state the project was in. */
export interface ProjectMemory {
  readonly closedFiles: ClosedFiles;
  readonly stamps: ProjectStamps;
}

export function createProjectMemory(clock: Clock): ProjectMemory {
  return { closedFiles: createClosedFiles(clock), stamps: createProjectStamps(clock) };
}
