import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkProjectPolicy } from '../../../src/cli/config/check-project-policy.ts';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'fluffy-policy-'));
  mkdirSync(join(project, '.fluffy'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const check = (installRoot = resolve('.')) => checkProjectPolicy(installRoot, project, []);

it('takes a project without a policy for one with the shipped policy, which is not read then', async () => {
  await expect(check()).resolves.toBeUndefined();
  await expect(check(join(project, 'not installed'))).resolves.toBeUndefined();
});

it.each([
  ['an empty file', ''],
  ['a misspelt field', 'version: 1\ncapabilities:\n  - name: x\n    mach: { syscall: fs.write }\n    action: deny\n'],
  ['no YAML', 'version: [1\n'],
])('refuses %s with its place, before a kernel is started', async (_, text) => {
  writeFileSync(join(project, '.fluffy/policy.yaml'), text);
  await expect(check()).rejects.toMatchObject({
    code: 'policy_invalid',
    exitCode: 2,
    why: expect.stringMatching(/policy\.yaml:\d+:\d+: /) as string,
  });
});
