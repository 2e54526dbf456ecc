import { createHash } from 'node:crypto';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placePolicy } from '../../../../src/cli/config/policy/place-policy.ts';
import { loadExchangeNames } from '../../../../src/platform/git/merge/exchange-names.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-place-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = () => join(root, '.fluffy/policy.yaml');
const names = () => readdirSync(join(root, '.fluffy'));
const baseOf = (text: string) => ({ text, sha256: createHash('sha256').update(text).digest('hex') });

function there(text: string) {
  mkdirSync(join(root, '.fluffy'), { recursive: true });
  writeFileSync(file(), text);
}

test('a first policy is placed, readable for everybody, with nothing beside it', async () => {
  expect(await placePolicy({ projectRoot: root, base: null, text: 'new' })).toBe('placed');
  expect(readFileSync(file(), 'utf8')).toBe('new');
  expect(lstatSync(file()).mode & 0o777).toBe(0o644);
  expect(names()).toEqual(['policy.yaml']);
});

test('the one it is meant for is replaced', async () => {
  there('old');
  expect(await placePolicy({ projectRoot: root, base: baseOf('old'), text: 'new' })).toBe('placed');
  expect(readFileSync(file(), 'utf8')).toBe('new');
  expect(names()).toEqual(['policy.yaml']);
});

test.each([
  ['a first one, where there is one by now', null],
  ['one that is another by now', baseOf('old')],
])('%s stays', async (_name, base) => {
  there('theirs');
  expect(await placePolicy({ projectRoot: root, base, text: 'new' })).toBe('conflict');
  expect(readFileSync(file(), 'utf8')).toBe('theirs');
  expect(names()).toEqual(['policy.yaml']);
});

test('one that somebody writes between the look and the step is put back', async () => {
  there('old');
  const real = await loadExchangeNames();
  let first = true;
  const exchange = (a: string, b: string) => {
    if (first) writeFileSync(file(), 'theirs');
    first = false;
    return real(a, b);
  };
  expect(await placePolicy({ projectRoot: root, base: baseOf('old'), text: 'new', exchange })).toBe('conflict');
  expect(readFileSync(file(), 'utf8')).toBe('theirs');
  expect(names()).toEqual(['policy.yaml']);
});

test('where names cannot change places it is renamed', async () => {
  there('old');
  const placed = await placePolicy({ projectRoot: root, base: baseOf('old'), text: 'new', exchange: () => false });
  expect(placed).toBe('placed');
  expect(readFileSync(file(), 'utf8')).toBe('new');
});

test.runIf(process.getuid?.() === 0)(
  'what it makes is handed over, and nothing that a link in its place leads to',
  async () => {
    const OWNER = 1000;
    chownSync(root, OWNER, OWNER);
    const victim = join(root, 'victim');
    writeFileSync(victim, 'theirs');
    mkdirSync(join(root, '.fluffy'));
    let swapped: string | undefined;
    const swap = () => {
      swapped = names().find((name) => name.startsWith('.policy.yaml.'));
      if (swapped === undefined) return void setImmediate(swap);
      const temporary = join(root, '.fluffy', swapped);
      renameSync(temporary, join(root, '.fluffy', 'moved'));
      symlinkSync(victim, temporary);
    };
    setImmediate(swap);
    await placePolicy({ projectRoot: root, base: null, text: 'new' });
    expect(swapped).toBeDefined();
    expect(lstatSync(victim).uid).toBe(0);
    expect(lstatSync(join(root, '.fluffy', 'moved')).uid).toBe(OWNER);
  },
);

test('nothing is written through a link', async () => {
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(root, '.fluffy'));
  expect(await placePolicy({ projectRoot: root, base: null, text: 'new' })).toBe('conflict');
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});
