/**
 * Runs test files with Node's own runner and reports every case: the main program of a test sandbox, and of the process that it starts for each file.
 * It reads what it is to do on standard input. The kernel uses nothing of the report unless its canaries are in it.
 */
import { readJob } from '../shared/read-job.ts';
import { NodeTestFile } from '../shared/javascript/node-test-file.ts';
import type { FileJob } from '../shared/javascript/node-test-file.ts';
import { runFiles } from '../shared/javascript/node-test-files.ts';
import type { FilesJob } from '../shared/javascript/node-test-files.ts';

/** The canaries fail in every run. */
const SOMETHING_FAILED = 1;
const exit = process.exit.bind(process);

const job = readJob() as FileJob | FilesJob;
if (job.kind === 'file') new NodeTestFile(job).start();
else {
  await runFiles(process.argv[1] ?? '', job);
  exit(SOMETHING_FAILED);
}
