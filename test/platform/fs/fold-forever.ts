import { closeSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSlotPool } from '../../../src/platform/fs/slots.ts';
import { recoverStaging } from '../../../src/platform/fs/staging/recover-staging.ts';
import { createWorkspace } from '../../../src/platform/fs/workspace.ts';
import { pinRoot } from '../../../src/platform/fs/descriptors.ts';
import { loadOpaqueMarks } from '../../../src/platform/fs/xattr.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import type { SessionId } from '../../../src/contracts/ids.ts';

/**
 * A kernel to be killed: folds one scratch after another, each of which replaces a whole directory and a counter. Prints a line
 * as each fold begins.
 */
const [projectRoot = '', stateDir = '', ripgrepPath = ''] = process.argv.slice(2);
await recoverStaging(stateDir);
const workspace = await createWorkspace({
  projectRoot,
  stateDir,
  session: 's_testsession' as SessionId,
  slots: createSlotPool({ stateDir, size: 2, random: systemRandom }),
  clock: systemClock,
  random: systemRandom,
  ripgrepPath,
});
const marks = await loadOpaqueMarks();

for (let round = systemClock.nowMs(); ; round += 1) {
  const outcome = await workspace.overlay(async (slot) => {
    const upper = join(stateDir, `slots/${slot}/upper`);
    mkdirSync(join(upper, 'd'));
    const directory = pinRoot(join(upper, 'd'));
    marks.markOpaque(directory);
    closeSync(directory);
    // Links: unlike files they need no syncing, so that nearly all of the fold is the moving of entries.
    for (let link = 0; link < 100; link += 1) symlinkSync(String(round), join(upper, `d/${round % 2}-${link}`));
    writeFileSync(join(upper, 'counter'), String(round));
  });
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
  process.stdout.write('folding\n');
  const staged = await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
  if (staged.kind !== 'staged') throw new Error(JSON.stringify(staged));
}
