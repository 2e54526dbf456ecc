import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnEditor } from '../../../../src/cli/interactive/prompt/own-editor.ts';
import { keepEdit } from '../../../../src/cli/interactive/session/keep-edit.ts';
import type { Lend } from '../../../../src/cli/interactive/screen/lend-terminal.ts';

let host: string;
beforeEach(() => {
  host = mkdtempSync(join(tmpdir(), "it's a host "));
});
afterEach(() => rmSync(host, { recursive: true, force: true }));

const atOnce: Lend = (use) => use();

function editorOf(command: string, lend: Lend | null = atOnce): OwnEditor {
  const keep = (name: string, bytes: Uint8Array) => keepEdit({ host }, name, bytes);
  const env = { ...process.env, VISUAL: '', EDITOR: command, TMPDIR: host };
  return new OwnEditor({ env, keep, screen: () => ({ lend }) });
}

/** A script that is run as an editor, in quotes: its path has blanks and a quote in it. */
function script(lines: string): string {
  const file = join(host, 'editor.sh');
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return `'${file.replaceAll("'", "'\\''")}'`;
}

const textOf = (files: readonly string[]) => files.map((file) => readFileSync(file, 'latin1'));

describe('the editor', () => {
  it.each([
    ['saves', 'echo "!" >> "$1"', 'text!\n'],
    ['takes options', 'test "$1" = -w && echo "?" >> "$2"', 'text?\n'],
  ])('gives back what it %s', async (_, lines, text) => {
    const command = `${script(lines)}${lines.includes('-w') ? ' -w' : ''}`;
    expect(await editorOf(command).edit('text', 'prompt.md')).toEqual({ kind: 'saved', text });
  });

  it.each([
    ['that ends with an error', 'echo mine > "$1"; exit 3', 'The editor ended with exit 3', ['mine\n']],
    ['that is left with an error and nothing written', 'exit 1', 'The editor ended with exit 1', []],
    ['that is killed', 'echo mine > "$1"; kill -9 $$', 'The editor ended with SIGKILL', ['mine\n']],
    ['that deletes its file', 'rm "$1"', 'The editor has left no file of that name', []],
    ['that renames its file', 'echo mine > "$1"; mv "$1" "$1.new"', 'The editor has left no file', ['mine\n']],
    ['that saves other bytes than UTF-8', `printf 'caf\\351' > "$1"`, 'no UTF-8', ['caf\xe9']],
    ['that saves a NUL', `printf 'a\\000b' > "$1"`, 'NUL', ['a\0b']],
  ])('%s loses nothing of what was written', async (_, lines, why, texts) => {
    const edited = await editorOf(script(lines)).edit('text', 'calc.js');
    if (edited.kind !== 'unusable') throw new Error('the text was used');
    expect(edited.why).toContain(why);
    expect(textOf(edited.kept)).toEqual(texts);
    for (const file of edited.kept) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that is not there is named', async () => {
    const edited = await editorOf('/does/not/exist').edit('text', 'calc.js');
    expect(edited).toEqual({
      kind: 'unusable',
      why: 'The editor /does/not/exist could not be run: set VISUAL or EDITOR',
      kept: [],
    });
  });

  it('keeps two files of one name apart', async () => {
    const editor = editorOf(script('echo mine >> "$1"; exit 1'));
    const kept = [];
    for (const text of ['a', 'b']) {
      const edited = await editor.edit(text, 'index.js');
      if (edited.kind === 'unusable') kept.push(...edited.kept);
    }
    expect(textOf(kept)).toEqual(['amine\n', 'bmine\n']);
  });

  it('needs a screen that can be given away', async () => {
    expect(await editorOf('true', null).edit('text', 'a')).toEqual({ kind: 'no-terminal' });
  });

  it('that is open when fluffy ends is ended too, and what it has saved is kept', async () => {
    const opened = Promise.withResolvers<void>();
    const editor = editorOf(script('echo mine > "$1"; touch "$0.open"; while :; do sleep 0.05; done'));
    const edited = editor.edit('text', 'calc.js');
    const look = setInterval(() => {
      if (readdirSync(host).includes('editor.sh.open')) opened.resolve();
    }, 20);
    await opened.promise;
    clearInterval(look);
    expect(editor.isOpen).toBe(true);
    expect(textOf(await editor.close('terminate'))).toEqual(['mine\n']);
    expect(editor.isOpen).toBe(false);
    expect(await edited).toMatchObject({ kind: 'unusable', why: 'The editor was ended by SIGTERM' });
    expect(await editor.close('terminate')).toEqual([]);
  });

  it('that ends by itself after fluffy has begun to end keeps what it saved', async () => {
    const editor = editorOf(script('while test ! -e "$0.go"; do sleep 0.02; done; echo mine > "$1"'));
    void editor.edit('text', 'calc.js');
    while (!editor.isOpen) await new Promise((resolve) => setImmediate(resolve));
    const kept = editor.close('wait');
    writeFileSync(join(host, 'editor.sh.go'), '');
    expect(textOf(await kept)).toEqual(['mine\n']);
  });
});
