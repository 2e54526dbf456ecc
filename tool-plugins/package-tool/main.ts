import { SANDBOX_PLACES, runJob } from './run-job.ts';

await runJob(SANDBOX_PLACES, process.env);
process.exit(0);
