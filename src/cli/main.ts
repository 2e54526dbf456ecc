import { enableCompileCache } from 'node:module';

enableCompileCache();

const argv = process.argv.slice(2);
const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
const { runCommand } = await import('./run-command.ts');
// What was written has gone out; an open standard input must not keep the process.
process.exit(await runCommand(argv, version));
