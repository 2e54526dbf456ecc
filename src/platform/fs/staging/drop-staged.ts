import { readdirSync } from 'node:fs';
import { throughFd } from '../descriptors.ts';
import type { StagingContext } from './stage-file.ts';
import { beginJournal, finishJournal } from './staging-journal.ts';

/** Undoes everything that the session has staged, as one step that a crash does not divide. */
export function dropStaged({ roots, directories, originals, random }: StagingContext): void {
  const staged = readdirSync(throughFd(directories.layer));
  const steps = staged.map((path) => ({ kind: 'drop' as const, path, token: random.id('out') }));
  const journal = { source: { kind: 'tmp' as const }, steps, reset: true };
  beginJournal(directories, journal);
  finishJournal(directories, journal, directories.tmp, roots.marks);
  originals.forget();
}
