import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
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

test('nothing is written through a link', async () => {
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(root, '.fluffy'));
  expect(await placePolicy({ projectRoot: root, base: null, text: 'new' })).toBe('conflict');
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});
