import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { filePlace } from '../../../../src/cli/interactive/screen/file-place.ts';
import type { LinkSetting } from '../../../../src/cli/output/link-setting.ts';
import { terminalPainter } from '../../../../src/cli/output/terminal-painter.ts';
import { itemRows } from '../../../../src/tui/scrollback/item-rows.ts';
import { NO_COLOURS } from '../../../../src/tui/code/code-colours.ts';
import { safeLine } from '../../../../src/tui/store/safe-text.ts';
import type { Item } from '../../../../src/tui/store/item.ts';
import { REVIEW, viewAfter } from '../../../tui/event-stream.ts';

it.each([
  [{}, 'box.local', 'box.local'],
  [{ TERM_PROGRAM: 'vscode' }, 'box', ''],
  [{}, 'my box\u001b', ''],
])('with %j on %j the address has the host %j', (env, machine, host) => {
  expect(filePlace('/p', env, machine)).toMatchObject({ root: '/p', host });
});

it('knows the files of the project that no link leads to', () => {
  const root = mkdtempSync(join(tmpdir(), 'fluffy-place-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src'));
  for (const path of ['a.js', 'src/b.js']) writeFileSync(join(root, path), '');
  symlinkSync('/etc/passwd', join(root, 'src/out.txt'));
  symlinkSync('src', join(root, 'other'));
  const { hasFile } = filePlace(root, {});
  const paths = ['a.js', 'src/b.js', 'src', 'c.js', 'src/out.txt', 'other/b.js', 'a.js\0'];
  expect(paths.filter(hasFile)).toEqual(['a.js', 'src/b.js']);
});

const CALL: Item = {
  kind: 'tool',
  tool: safeLine('fs.write'),
  target: safeLine('a.js'),
  ok: true,
  exit: null,
  summary: safeLine('+1 -0'),
  denial: null,
  durationMs: 1,
  diff: null,
  tests: null,
  id: 1,
  gap: false,
};
const look = { width: 80, colours: NO_COLOURS, lends: true, openKey: null };
const drawn = (env: Record<string, string>, setting: LinkSetting | undefined, item: Item = CALL) =>
  itemRows(item, { ...look, files: { root: '/p', host: '', hasFile: () => true } })
    .map((row) => terminalPainter({ FORCE_COLOR: '0', ...env }, 'none', setting).row(row))
    .join('\n');

it.each([
  ['auto', {}, true],
  ['auto', { NO_COLOR: '1' }, true],
  ['auto', { TERM: 'dumb' }, false],
  ['auto', { TERM: 'linux' }, false],
  ['auto', { STY: '1.pts' }, false],
  ['on', { TERM: 'linux' }, true],
  ['off', {}, false],
  // Of what is no screen, colours decide.
  [undefined, {}, false],
] as const)('with `links: %s` and %j a call has a link: %s', (setting, env, has) => {
  const text = '  ✓ fs.write a.js  +1 -0';
  expect(drawn(env, setting)).toBe(has ? text.replace('a.js', '\x1b]8;;file:///p/a.js\x1b\\a.js\x1b]8;;\x1b\\') : text);
});

it('a card leads nowhere, whatever files it names', () => {
  const card = viewAfter([REVIEW]).card?.shown ?? expect.fail('there is no card');
  const text = drawn({}, 'on', { kind: 'card', card, id: 1, gap: false });
  expect(text).toMatch(/\w\/\w+\.js/);
  expect(text).not.toContain('\x1b]8');
});
