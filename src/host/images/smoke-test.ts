import { type Engine, engineRefused } from './engine-api.ts';
import { runThrowaway } from './throwaway-container.ts';

/** Node, git and a shell must run. Python is optional, but if it is there it must work. */
const SCRIPT = [
  `node -e "require('node:crypto').createHash('sha256')"`,
  'git --version >/dev/null',
  'ls / | sort | grep -q usr',
  'if [ -x /usr/bin/python3 ]; then python3 -c "import json, unittest, hashlib, ssl, sqlite3"; fi',
].join(' && ');

/**
 * Runs an image's programs once, as nobody: a library that was overlooked is found at set-up, by name, not in the middle of
 * somebody's task.
 *
 * @throws FluffyError `engine_refused` with what the program printed.
 */
export async function smokeTestBase(engine: Engine, image: string): Promise<void> {
  const result = await runThrowaway(engine, { image, command: ['/bin/sh', '-c', SCRIPT], user: '65534:65534' });
  if (result.exitCode === 0) return;
  const output = `${result.stdout}${result.stderr}`.trim();
  throw engineRefused('the base image does not work here', output === '' ? `exit ${result.exitCode}` : output);
}
