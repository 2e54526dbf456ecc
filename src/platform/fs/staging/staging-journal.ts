import { readFileSync, unlinkSync } from 'node:fs';
import { z } from 'zod';
import { errnoOf, throughFd } from '../descriptors.ts';
import { replaceDurably } from '../durable-file.ts';
import { removeEntries } from '../remove-tree.ts';
import type { StagingDirectories } from './staging-layout.ts';
import { JOURNAL_FILE, syncDirectory } from './staging-layout.ts';
import type { StepDirectories } from './staging-steps.ts';
import { stagingStepSchema, takeSteps } from './staging-steps.ts';
import type { OpaqueMarks } from '../xattr.ts';

/**
 * A change in progress: its steps, and where the entries come from. `reset` empties the record of originals afterwards.
 */
export const journalSchema = z.strictObject({
  source: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('slot'), slot: z.number().int().min(0).max(63) }),
    z.strictObject({ kind: z.literal('tmp') }),
  ]),
  steps: z.array(stagingStepSchema),
  reset: z.boolean(),
});

export type Journal = z.infer<typeof journalSchema>;

const TEMPORARY = `${JOURNAL_FILE}.new`;

/** Writes the journal. From here on the change will be completed, now or after a restart. */
export function beginJournal(directories: StagingDirectories, journal: Journal): void {
  removeIfThere(directories.base, TEMPORARY);
  replaceDurably(directories.base, JOURNAL_FILE, TEMPORARY, Buffer.from(JSON.stringify(journal)));
}

/**
 * The journal of a change that was in progress when the process ended, or null. A journal that can't be read is broken
 * infrastructure.
 */
export function readJournal(directories: StagingDirectories): Journal | null {
  let text: string;
  try {
    text = readFileSync(throughFd(directories.base, JOURNAL_FILE), 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
  return journalSchema.parse(JSON.parse(text));
}

/** Runs the journal's steps, then deletes it. Safe to repeat from the start, however far an earlier attempt got. */
export function finishJournal(
  directories: StagingDirectories,
  journal: Journal,
  source: number,
  marks: OpaqueMarks,
  afterStep?: (index: number) => void,
): void {
  const between: StepDirectories = { layer: directories.layer, trash: directories.trash, source };
  takeSteps(journal.steps, between, marks, afterStep);
  if (journal.reset) removeIfThere(directories.base, 'index.jsonl');
  syncDirectory(directories.layer);
  removeIfThere(directories.base, JOURNAL_FILE);
  syncDirectory(directories.base);
  removeEntries(directories.trash);
}

function removeIfThere(directory: number, name: string): void {
  try {
    unlinkSync(throughFd(directory, name));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
