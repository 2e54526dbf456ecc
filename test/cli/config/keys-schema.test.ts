import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { setUserValue } from '../../../src/cli/config/config-commands.ts';
import { configKeys } from '../../../src/cli/config/config-keys.ts';
import { loadUserConfig } from '../../../src/cli/config/load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'fluffy-keys-'));
const file = join(folder, 'config.yaml');
afterEach(() => rmSync(file, { force: true }));

const load = (text: string) => {
  writeFileSync(file, text);
  return loadUserConfig(file);
};

it.each([
  ['a word', 'keys: vim', { style: 'vim', chosen: {} }],
  [
    'a mapping',
    'keys: {open: ctrl-t, editor: [alt-e, Ctrl+X], leave: none}',
    { style: 'emacs', chosen: { open: ['ctrl-t'], editor: ['alt-e', 'ctrl-x'], leave: [] } },
  ],
  ['a mapping with a style', 'keys: {style: vim}', { style: 'vim', chosen: {} }],
])('keys can be %s', async (_, text, keys) => {
  expect((await load(text)).keys).toEqual(keys);
});

it.each([
  [
    'a wrong action, with the nearest one',
    'keys:\n  opne: ctrl-t',
    ':2:3',
    'keys.opne: unknown key; the nearest is "open"',
  ],
  [
    'a wrong key, with the nearest one',
    'keys:\n  open: crtl-t',
    ':2:9',
    'keys.open: "crtl-t" is not a possible key; the nearest is ctrl-t',
  ],
  [
    'one of several keys',
    'keys:\n  open: [ctrl-t, ctrl-c]',
    ':2:9',
    'keys.open: "ctrl-c" cannot be chosen: it interrupts and leaves, always',
  ],
  [
    'two actions with one key',
    'keys:\n  open: alt-x\n  editor: alt-x',
    ':3:11',
    'keys.editor: alt-x is the key of open too; give that one another key, or none',
  ],
  ['a wrong style', 'keys:\n  style: nano', ':2:10', expect.stringContaining('keys.style: ') as string],
])('%s is named with its place', async (_, text, place, why) => {
  await expect(load(text)).rejects.toMatchObject({
    code: 'config_invalid',
    what: `The configuration ${file}${place} cannot be used`,
    why,
  });
});

it('the style can be changed in a mapping, and the keys in it stay', async () => {
  await load('keys:\n  open: ctrl-t\n');
  await setUserValue('keys.style', 'vim', { FLUFFY_CONFIG: file });
  expect(readFileSync(file, 'utf8')).toBe('keys:\n  open: ctrl-t\n  style: vim\n');
});

it('a part of a key that has a word for its value is refused', async () => {
  await load('keys: vim\n');
  await expect(setUserValue('keys.open', 'ctrl-t', { FLUFFY_CONFIG: file })).rejects.toMatchObject({ code: 'usage' });
  expect(readFileSync(file, 'utf8')).toBe('keys: vim\n');
});

it('both forms are completed by a shell', () => {
  expect(configKeys().get('keys')).toEqual(['emacs', 'vim']);
  expect(configKeys().get('keys.style')).toEqual(['emacs', 'vim']);
  expect(configKeys().has('keys.open')).toBe(true);
});

afterAll(() => rmSync(folder, { recursive: true }));
