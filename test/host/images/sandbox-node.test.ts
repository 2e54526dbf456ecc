import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeImageManifest } from '../../../src/host/images/image-records.ts';
import { sandboxNode } from '../../../src/host/images/sandbox-node.ts';

let stateHome: string;
beforeEach(() => {
  stateHome = mkdtempSync(join(tmpdir(), 'fluffy-sandbox-node-'));
});
afterEach(() => rmSync(stateHome, { recursive: true }));

it.each([
  ['linux', 'host', { major: 26, version: '26.1.0' }],
  ['linux', 'registry', { major: 24, version: null }],
  ['linux', null, { major: 26, version: '26.1.0' }],
  ['darwin', null, { major: 24, version: null }],
] as const)('on %s with a base of %s', async (platform, base, expected) => {
  if (base !== null) {
    const record = { id: `sha256:${'a'.repeat(64)}`, source: 'b'.repeat(64), base, built_at_ms: 0 };
    await writeImageManifest(stateHome, { version: 1, images: { base: record } });
  }
  const versions = { ...process.versions, node: '26.1.0' };
  expect(await sandboxNode(stateHome, { platform, versions })).toEqual(expected);
});
