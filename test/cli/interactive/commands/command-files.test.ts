import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptedCommands } from '../../../../src/cli/interactive/commands/accepted-commands.ts';
import { findCommandFiles } from '../../../../src/cli/interactive/commands/find-command-files.ts';
import { parseCommandFile } from '../../../../src/cli/interactive/commands/parse-command-file.ts';
import { fillIn } from '../../../../src/tui/commands/own-command.ts';

describe('a Markdown file as a command', () => {
  it.each([
    ['Look.', { description: 'Look.', argument: null, body: 'Look.' }],
    ['# Title\n\nLook at $1.', { description: 'Title', argument: '[arguments]', body: '# Title\n\nLook at $1.' }],
    [
      '---\ndescription: "Fix: an issue"\nargument-hint: [number]\nallowed-tools: Bash(*)\nmodel: x/y\n---\n\nFix it.\n---\nmore',
      { description: 'Fix: an issue', argument: '[number]', body: 'Fix it.\n---\nmore' },
    ],
    ['---\r\ndescription: a\u001b[31mb\r\n---\r\nFix it.', { description: 'a [31mb', body: 'Fix it.' }],
    ['---\nno end', { description: '---', body: '---\nno end' }],
    ['---\n---\nFix it.', { description: 'Fix it.', body: 'Fix it.' }],
  ])('%j', (text, file) => {
    expect(parseCommandFile('fix.md', text, 'user')).toMatchObject({ kind: 'command', file: { name: 'fix', ...file } });
  });

  it.each([
    ['Fix.md', 'x'],
    ['a b.md', 'x'],
    ['.md', 'x'],
    ['\u0430pprove.md', 'x'],
    ['fix.md', ' \n'],
    ['fix.md', '---\ndescription: x\n---\n'],
  ])('%j with %j is none', (name, text) => {
    expect(parseCommandFile(name, text, 'user').kind).toBe('unusable');
  });

  it('is another one for a yes when its text or its name is', () => {
    const digests = [
      ['fix.md', 'one'],
      ['fix.md', 'two'],
      ['tidy.md', 'one'],
    ].map(([name = '', text = '']) => {
      const parsed = parseCommandFile(name, text, 'project');
      return parsed.kind === 'command' ? parsed.file.digest : '';
    });
    expect(new Set(digests).size).toBe(3);
  });

  it.each([
    ['$ARGUMENTS|$1|$2|$3', 'a "b c"', 'a "b c"|a|b c|'],
    ['$1 $1', '$ARGUMENTS $&', '$ARGUMENTS $ARGUMENTS'],
    ['$10 $0 $ARGUMENTSX', 'a', 'a0 $0 $ARGUMENTSX'],
    ['nothing', 'a', 'nothing'],
  ])('%j with %j is %j', (body, argument, text) => {
    expect(fillIn(body, argument)).toBe(text);
  });

  it.each([
    ['$ARGUMENTS'.repeat(3_000), 'x'.repeat(200_000)],
    ['$1'.repeat(16_000), 'x'.repeat(200_000)],
    ['$1$2$3', 'x'.repeat(64 * 1024 + 1)],
  ])('is no text where it becomes longer than a message may be', (body, argument) => {
    expect(fillIn(body, argument)).toBeNull();
  });

  it('is read in time by its length', () => {
    const text = `---\ndescription: a${' '.repeat(300_000)}b\n---\nFix it.`;
    expect(parseCommandFile('fix.md', text, 'project')).toMatchObject({ file: { body: 'Fix it.' } });
  });
});

describe('the folders of commands', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fluffy-commands-'));
    for (const folder of ['config/commands', 'project/.fluffy/commands', 'other'])
      mkdirSync(join(root, folder), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  const find = () => findCommandFiles({ config: join(root, 'config'), projectRoot: join(root, 'project') });
  const names = async () => (await find()).files.map(({ name, of }) => `${of} ${name}`);

  it('give the user’s commands, then those of the project', async () => {
    write('config/commands/fix.md', 'Fix.');
    write('project/.fluffy/commands/ship.md', 'Ship.');
    write('project/.fluffy/commands/notes.txt', 'x');
    expect(await names()).toEqual(['user fix', 'project ship']);
  });

  it('cannot take a name that is built in, or the project one of the user’s', async () => {
    write('config/commands/undo.md', 'Undo.');
    write('config/commands/fix.md', 'Fix.');
    write('project/.fluffy/commands/approve.md', 'Approve.');
    write('project/.fluffy/commands/fix.md', 'Fix.');
    const found = await find();
    expect(found.files.map(({ name, of }) => `${of} ${name}`)).toEqual(['user fix']);
    expect(found.problems).toEqual([
      'commands/undo.md is not a command: fluffy has a command of this name.',
      '.fluffy/commands/approve.md is not a command: fluffy has a command of this name.',
      '.fluffy/commands/fix.md is not a command: you have a command of this name.',
    ]);
  });

  it('of the project lead nowhere else', async () => {
    write('other/secret.md', 'secret');
    symlinkSync(join(root, 'other/secret.md'), join(root, 'project/.fluffy/commands/leak.md'));
    expect(await names()).toEqual([]);
    rmSync(join(root, 'project/.fluffy/commands'), { recursive: true });
    symlinkSync(join(root, 'other'), join(root, 'project/.fluffy/commands'));
    expect(await names()).toEqual([]);
    rmSync(join(root, 'project/.fluffy'), { recursive: true });
    mkdirSync(join(root, 'other/commands'));
    write('other/commands/leak.md', 'secret');
    symlinkSync(join(root, 'other'), join(root, 'project/.fluffy'));
    expect(await names()).toEqual([]);
  });

  it('of the user may be links', async () => {
    write('other/fix.md', 'Fix.');
    symlinkSync(join(root, 'other/fix.md'), join(root, 'config/commands/fix.md'));
    expect(await names()).toEqual(['user fix']);
  });

  it('may be missing, and may hold what is no command', async () => {
    write('config/commands/large.md', 'x'.repeat(40_000));
    mkdirSync(join(root, 'config/commands/folder.md'));
    rmSync(join(root, 'project'), { recursive: true });
    expect(await find()).toMatchObject({
      files: [],
      problems: [/it is not a file/, /more than 32 KiB/].map((why) => expect.stringMatching(why) as unknown),
    });
  });

  it('are remembered by what was accepted', async () => {
    const accepted = acceptedCommands({ host: join(root, 'state') });
    expect(await accepted.has('a')).toBe(false);
    await accepted.add('a');
    expect([await accepted.has('a'), await accepted.has('b')]).toEqual([true, false]);
  });
});
