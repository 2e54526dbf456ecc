import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinRoot } from '../../../src/platform/fs/descriptors.ts';
import { loadOpaqueMarks, loadOverlayAttributes } from '../../../src/platform/fs/xattr.ts';
import { fixture } from './fixture.ts';

it('finds the attribute of an overlay on what has one, and none on anything else', async () => {
  const { project } = fixture({ 'd/a.js': '', l: '-> d' });
  const { find } = await loadOverlayAttributes();
  (await loadOpaqueMarks()).markOpaque(pinRoot(join(project, 'd')));
  expect(['d', 'd/a.js', 'l', 'missing'].map((name) => find(Buffer.from(join(project, name))))).toEqual([
    'user.overlay.opaque',
    null,
    null,
    null,
  ]);
  writeFileSync(join(project, 'd/b.js'), '');
  expect(find(Buffer.from(join(project, 'd/b.js')))).toBeNull();
});
