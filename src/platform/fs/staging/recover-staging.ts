import { closeSync, readdirSync } from 'node:fs';
import type { SessionId } from '../../../contracts/ids.ts';
import { removeEntries } from '../remove-tree.ts';
import { pinUpper } from '../slots.ts';
import { finishJournal, readJournal } from './staging-journal.ts';
import { closeStaging, openStaging, sessionOfBase } from './staging-layout.ts';
import { loadOpaqueMarks } from '../xattr.ts';
import { makeDirectory } from '../make-directory.ts';

/**
 * Finishes every change of a staging layer that a crash interrupted, and removes entries that were being moved in or
 * out. Must be called once at start, before a slot is leased, because a journal's entries are still in its slot.
 * Returns the sessions whose journal was finished.
 */
export async function recoverStaging(stateDir: string): Promise<readonly SessionId[]> {
  const marks = await loadOpaqueMarks();
  makeDirectory(`${stateDir}/staging`);
  const recovered: SessionId[] = [];
  for (const name of readdirSync(`${stateDir}/staging`)) {
    const session = sessionOfBase(name);
    if (session === null) continue;
    const directories = openStaging(stateDir, session);
    try {
      const journal = readJournal(directories);
      if (journal !== null) {
        const source = journal.source.kind === 'slot' ? pinUpper(stateDir, journal.source.slot) : null;
        try {
          finishJournal(directories, journal, source ?? directories.tmp, marks);
        } finally {
          if (source !== null) closeSync(source);
        }
        recovered.push(session);
      }
      removeEntries(directories.tmp);
      removeEntries(directories.trash);
    } finally {
      closeStaging(directories);
    }
  }
  return recovered;
}
