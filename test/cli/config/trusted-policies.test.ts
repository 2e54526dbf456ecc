import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trustPolicy } from '../../../src/cli/config/policy/trust-store.ts';
import { trustedPolicies } from '../../../src/cli/config/trusted-policies.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-trust-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test('nothing is trusted before anything was signed', async () => {
  expect(await trustedPolicies(join(home, 'trust'), '/one')).toEqual([]);
});

test('a session trusts the policies that the editor signed', async () => {
  const trust = join(home, 'trust');
  await trustPolicy(trust, 'b'.repeat(64), '/one');
  await trustPolicy(trust, 'a'.repeat(64), '/one');
  await trustPolicy(trust, 'c'.repeat(64), '/another');
  expect(await trustedPolicies(trust, '/one')).toEqual(['a'.repeat(64), 'b'.repeat(64)]);
});
