import { enableCompileCache } from 'node:module';
import { showStartLine } from './interactive/screen/start-line.ts';

enableCompileCache();

const argv = process.argv.slice(2);
const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
const startLine = showStartLine(
  argv,
  version,
  {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    raise: (signal) => process.kill(process.pid, signal),
  },
  process.env,
);
process.once('exit', startLine.end);
const { runCommand } = await import('./run-command.ts');
const { processSignals } = await import('./headless/signals.ts');
// All output has been written; an open standard input must not keep the process alive.
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
