import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '../../src/host/file-lock.ts';

const LONGER_THAN_A_TEST_MS = 3_600_000;

/** Takes the lock named on the command line, says so, and keeps it until it is killed. */
await withFileLock(process.argv[2] ?? '', {}, async () => {
  process.stdout.write('held\n');
  // The timer refers to the promise. Without a reference, the garbage collection would close the file and give up the lock.
  await sleep(LONGER_THAN_A_TEST_MS);
});
