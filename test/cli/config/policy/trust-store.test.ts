import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { distrustPolicy, signedHashes, trustPolicy } from '../../../../src/cli/config/policy/trust-store.ts';

const HASH = 'a'.repeat(64);

it('a text is signed once for a project, and taking the signature back leaves those of other projects', async () => {
  const store = mkdtempSync(join(tmpdir(), 'fluffy-trust-'));
  onTestFinished(() => rmSync(store, { recursive: true }));
  expect(await trustPolicy(store, HASH, '/one')).toBe(true);
  expect(await trustPolicy(store, HASH, '/one')).toBe(false);
  expect(await trustPolicy(store, HASH, '/two')).toBe(true);
  expect(await distrustPolicy(store, HASH, '/one')).toBe(true);
  expect(await distrustPolicy(store, HASH, '/one')).toBe(false);
  expect([await signedHashes(store, '/one'), await signedHashes(store, '/two')]).toEqual([new Set(), new Set([HASH])]);
});
