import { enableCompileCache } from 'node:module';

enableCompileCache();

const argv = process.argv.slice(2);
const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
  process.stdout.write(`${version}\n`);
} else {
  const { runCommand } = await import('./run-command.ts');
  // What was written has gone out; an open standard input must not keep the process.
  process.exit(await runCommand(argv, version));
}
