import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { policyCommand } from '../../../../src/cli/commands/policy.ts';

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
  await expect(policyCommand(argv, { HOME: home })).rejects.toMatchObject({
    code: 'usage',
    exitCode: 2,
    why: `config policy ${argv[0] ?? ''} has no place for "extra"`,
  });
});

test.each(['edit', 'distrust'])('config policy %s needs a project', async (action) => {
  await expect(policyCommand([action, '--project', home], { HOME: home })).rejects.toMatchObject({
    code: 'usage',
    why: `config policy ${action} needs a project`,
  });
});
