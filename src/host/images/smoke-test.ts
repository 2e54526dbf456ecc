import { type Engine, engineRefused } from './engine-api.ts';
import { runThrowaway } from './throwaway-container.ts';

/** Node, git and a shell must work. Python is optional, but if it exists it must work. */
const SCRIPT = [
  `node -e "require('node:crypto').createHash('sha256')"`,
  'git --version >/dev/null',
  'ls / | sort | grep -q usr',
  'if [ -x /usr/bin/python3 ]; then python3 -c "import json, unittest, hashlib, ssl, sqlite3"; fi',
].join(' && ');

/**
 * Runs an image's programs once, as nobody, so that a forgotten library is found and named at set-up and not during a user's task.
 *
 * @throws FluffyError `engine_refused` with the programs' output.
 */
export async function smokeTestBase(engine: Engine, image: string): Promise<void> {
  const result = await runThrowaway(engine, { image, command: ['/bin/sh', '-c', SCRIPT], user: '65534:65534' });
  if (result.exitCode === 0) return;
  const output = `${result.stdout}${result.stderr}`.trim();
  throw engineRefused('the base image does not work here', output === '' ? `exit ${result.exitCode}` : output);
}
