import { closeSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinRoot } from '../../../src/platform/fs/descriptors.ts';
import { removeEntries } from '../../../src/platform/fs/remove-tree.ts';
import { fixture, write } from './fixture.ts';

it('empties a directory whose entries already have the names it moves things to', () => {
  const fix = fixture({ 'keep/file': 'kept' });
  const top = join(fix.base, 'top');
  mkdirSync(top);
  for (let index = 1; index <= 100; index += 1) {
    if (index % 2 === 0) writeFileSync(join(top, `.removing-${index}`), '');
    else write(top, { [`.removing-${index}/full`]: '' });
    write(top, { [`n${index}/inner/file`]: '' });
  }
  symlinkSync(join(fix.project, 'keep'), join(top, 'n1/link'));
  symlinkSync(join(fix.project, 'keep'), join(top, 'link'));
  const pinned = pinRoot(top);
  expect(removeEntries(pinned)).toBe(true);
  closeSync(pinned);
  expect(readdirSync(top)).toEqual([]);
  expect(readFileSync(join(fix.project, 'keep/file'), 'utf8')).toBe('kept');
});
