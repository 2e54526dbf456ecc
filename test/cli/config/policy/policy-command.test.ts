import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cliServices } from '../../../support/cli/cli-services.ts';
import { readLine } from '../../../support/cli/read-line.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fluffy-policy-command-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test.each([
  ['show', 'extra'],
  ['check', 'policy.yaml', 'extra'],
  ['explain', 'fs.read', 'src/a.ts', 'extra'],
  ['explain', '--batch', 'extra'],
  ['edit', 'extra'],
  ['distrust', 'extra'],
])('a word that config policy %s does nothing with is a usage error', async (...argv) => {
  await expect(readLine('config', 'policy', ...argv)).rejects.toMatchObject({
    code: 'usage',
    exitCode: 2,
    why: `config policy ${argv[0] ?? ''} has no place for "extra"`,
  });
});

test.each(['edit', 'distrust'])('config policy %s needs a project', async (action) => {
  const line = await readLine('config', 'policy', action, '--project', home);
  await expect(line.run(cliServices({ env: { HOME: home } }))).rejects.toMatchObject({
    code: 'usage',
    why: `config policy ${action} needs a project`,
  });
});
