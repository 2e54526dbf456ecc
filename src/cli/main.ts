import { enableCompileCache } from 'node:module';

enableCompileCache();

const argv = process.argv.slice(2);
const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
const { runCommand } = await import('./run-command.ts');
const { processSignals } = await import('./headless/signals.ts');
// What was written has gone out; an open standard input must not keep the process.
process.exit(
  await runCommand(argv, version, {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: processSignals,
    connect: async (...given) => (await import('./connect-kernel.ts')).connectKernel(...given),
  }),
);
