import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { BINDABLE_ACTIONS } from '../../../src/tui/keymap/bindable-actions.ts';
import { bindingsOf, DEFAULT_BINDINGS, keyConflict, readKeyName } from '../../../src/tui/keymap/bindings.ts';
import type { ChosenKeys } from '../../../src/tui/keymap/bindings.ts';
import { readKeys } from '../../../src/tui/keymap/read-keys.ts';
import { tableUnder } from '../../support/source/markdown-tables.ts';
import { REPOSITORY } from '../../support/source/source-files.ts';

const ctrl = { ctrl: true, eventType: 'press' } as Key;
const alt = { meta: true, eventType: 'press' } as Key;
const plain = { eventType: 'press' } as Key;

describe("a key of the person's choice", () => {
  const bindings = bindingsOf({ open: ['alt-o', 'ctrl-t'], editor: [], leave: ['ctrl-x'] });

  it.each([
    ['does what it was chosen for, with Ctrl', 't', ctrl, [{ kind: 'open' }]],
    ['with Alt', 'o', alt, [{ kind: 'open' }]],
    ['in one piece with other keys', '\x14', plain, [{ kind: 'open' }]],
    ['takes the place of the usual key', 'o', ctrl, []],
    ['can be none', 'g', ctrl, []],
    ['leaves other actions their keys', 'r', ctrl, [{ kind: 'edit', edit: { kind: 'search-back' } }]],
    ['is never Ctrl-C', 'c', ctrl, [{ kind: 'interrupt' }]],
  ])('%s', (_, input, key, actions) => {
    expect(readKeys(input, key, bindings)).toEqual(actions);
  });
});

describe('the name of a key', () => {
  it.each([
    ['ctrl-t', 'ctrl-t'],
    ['Ctrl+T', 'ctrl-t'],
    ['ctrl-_', 'ctrl-_'],
    ['alt-0', 'alt-0'],
  ])('%s is read', (text, name) => {
    expect(readKeyName(text)).toEqual({ kind: 'key', name });
  });

  it.each([
    ['crtl-t', '"crtl-t" is not a possible key; the nearest is ctrl-t'],
    ['f5', '"f5" is not a possible key; there are ctrl-a to ctrl-z, ctrl-_, alt-a to alt-z, alt-0 to alt-9'],
    ['ctrl-c', '"ctrl-c" cannot be chosen: it interrupts and leaves, always'],
    ['ctrl-m', '"ctrl-m" cannot be chosen: terminals send it for Enter'],
    ['__proto__', expect.stringContaining('"__proto__" is not a possible key') as string],
  ])('%s is refused with what is near', (text, why) => {
    expect(readKeyName(text)).toEqual({ kind: 'problem', why });
  });
});

describe('two actions with one key', () => {
  it.each<[string, ChosenKeys, string, string]>([
    [
      'both chosen',
      { open: ['alt-x'], editor: ['alt-x'] },
      'editor',
      'alt-x is the key of open too; give that one another key, or none',
    ],
    [
      'one of them by default',
      { open: ['ctrl-g'] },
      'open',
      'ctrl-g is the key of editor too; give that one another key, or none',
    ],
  ])('are a conflict: %s', (_, chosen, action, why) => {
    expect(keyConflict(chosen)).toEqual({ action, why });
  });

  it.each<[string, ChosenKeys]>([
    ['are changed over', { open: ['ctrl-g'], editor: ['ctrl-o'] }],
    ['of which one has given it up', { open: ['ctrl-g'], editor: [] }],
    ['are one, named twice', { open: ['alt-x', 'alt-x'] }],
    ['by default', {}],
  ])('are none where they %s', (_, chosen) => {
    expect(keyConflict(chosen)).toBeNull();
  });
});

it('every action is bound by default to keys that can be chosen', () => {
  for (const { name, keys, action } of BINDABLE_ACTIONS)
    for (const key of keys) {
      expect(readKeyName(key), name).toEqual({ kind: 'key', name: key });
      expect(DEFAULT_BINDINGS.actions.get(key), name).toEqual(action);
    }
});

it('every action is in docs/configuration.md, word for word', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/configuration.md'), 'utf8');
  const rows = tableUnder(page, 'Keys of your own').map((cells) => cells.map((cell) => cell.replaceAll('`', '')));
  expect(rows).toEqual(BINDABLE_ACTIONS.map(({ name, keys, help }) => [name, keys.join(', '), help]));
});
