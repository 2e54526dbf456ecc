import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';

it('says that the working directory is gone', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'fluffy-gone-'));
  const launch = resolve(import.meta.dirname, '../../bin/launch.cjs');
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" session list';
  const { exitCode, stderr } = await execa('sh', ['-c', script, 'sh', gone, process.execPath, launch], {
    reject: false,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('The working directory is gone\n  why: ');
  expect(stderr).not.toMatch(/^ +at /m);
});
