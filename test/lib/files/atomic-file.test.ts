import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAtomic, placing, writeFileAtomic } from '../../../src/lib/files/atomic-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-atomic-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));
const path = (name: string) => join(directory, name);

describe('a file that is written whole or not at all', () => {
  it('replaces what is there, with its own mode, and leaves nothing beside it', async () => {
    writeFileSync(path('a'), 'old', { mode: 0o644 });
    await writeFileAtomic(path('a'), 'new', { mode: 0o600 });
    expect(readFileSync(path('a'), 'utf8')).toBe('new');
    expect(lstatSync(path('a')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['a']);
  });

  it('replaces a link and leaves alone what it leads to', async () => {
    writeFileSync(path('elsewhere'), 'untouched');
    symlinkSync(path('elsewhere'), path('a'));
    await writeFileAtomic(path('a'), 'new', { mode: 0o600 });
    expect(readFileSync(path('elsewhere'), 'utf8')).toBe('untouched');
    expect(lstatSync(path('a')).isFile()).toBe(true);
  });

  it('keeps the old content, and removes its own, when it cannot be put in place', async () => {
    writeFileSync(path('a'), 'old');
    const fails = placing(path('a'), 'new', { mode: 0o600 }, () => Promise.reject(new Error('no')));
    await expect(fails).rejects.toThrow('no');
    expect(readdirSync(directory)).toEqual(['a']);
    expect(readFileSync(path('a'), 'utf8')).toBe('old');
  });

  it('is made by one of many who make it at once, and by nobody where it is', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createFileAtomic(path('a'), `${index}`, { mode: 0o600 })),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(path('a'), 'utf8')).toBe(`${made.indexOf(true)}`);
    expect(readdirSync(directory)).toEqual(['a']);
  });
});
