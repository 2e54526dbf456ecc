import { withFileLock } from '../../src/host/file-lock.ts';

/** Takes the lock named on the command line, says so, and keeps it until it is killed. */
await withFileLock(process.argv[2] ?? '', {}, async () => {
  process.stdout.write('held\n');
  await new Promise(() => setInterval(() => undefined, 1_000));
});
