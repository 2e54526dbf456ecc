import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { personAtTerminal } from '../../../../src/cli/config/policy/person-at-terminal.ts';
import type { PersonAtTerminal } from '../../../../src/cli/config/policy/person-at-terminal.ts';

let root: string;
let people: PersonAtTerminal[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-person-'));
});
afterEach(() => {
  for (const person of people) person.close();
  people = [];
  rmSync(root, { recursive: true, force: true });
});

function tty() {
  return Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined, columns: 80 });
}

function personWith(env: Record<string, string>, terminal = true) {
  const [input, output] = [terminal ? tty() : new PassThrough(), terminal ? tty() : new PassThrough()];
  const person = personAtTerminal({ env, input, output });
  people.push(person);
  return { person, input, output };
}

function script(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Writes each argument on a line of the last one. */
const NOTE = 'for last; do :; done; for each; do printf "%s\\n" "$each" >> "$last"; done';

describe('the editor', () => {
  test.each<[string, (file: string) => string, string[]]>([
    ['a program by its path', (file) => file, []],
    ['one with arguments', (file) => `${file} -w  --now`, ['-w', '--now']],
    ['a path with a blank, in quotes', (file) => `'${file}' -w`, ['-w']],
    ['an argument in quotes', (file) => `"${file}" "two words"`, ['two words']],
    ['one with an assignment', (file) => `WAIT=1 '${file}'`, []],
    ['more than one program', (file) => `true && '${file}'`, []],
    ['a variable', () => `"$NOTE_EDITOR" -w`, ['-w']],
  ])('can be %s', async (name, command, args) => {
    const file = script(name.includes('quotes') || name.includes('than') ? 'a b/ed' : 'ed', NOTE);
    // A file's name is never a piece of shell.
    const draft = join(root, `$(touch owned) ; 'draft.yaml`);
    process.env['NOTE_EDITOR'] = file;
    const { person } = personWith({ EDITOR: command(file) });
    expect(await person.edit(draft)).toEqual({ kind: 'closed' });
    delete process.env['NOTE_EDITOR'];
    expect(readFileSync(draft, 'utf8').split('\n').slice(0, -1)).toEqual([...args, draft]);
  });

  test.each<[string, string, object]>([
    ['fails', 'exit 3', { kind: 'failed', why: 'the editor ended with exit 3' }],
    ['is ended by Ctrl-C', 'kill -INT $$', { kind: 'ended', by: 'SIGINT' }],
    ['is ended by SIGTERM', 'kill -TERM $$', { kind: 'ended', by: 'SIGTERM' }],
    ['crashes', 'kill -KILL $$', { kind: 'failed', why: 'the editor ended with SIGKILL' }],
  ])('that %s is told as that', async (_name, text, edited) => {
    const { person } = personWith({ VISUAL: script('ed', text) });
    expect(await person.edit(join(root, 'draft'))).toEqual(edited);
  });

  test('that is not there is named', async () => {
    const { person } = personWith({ EDITOR: '/nowhere/ed -w' });
    const why = 'the editor "/nowhere/ed -w" could not be run';
    expect(await person.edit(join(root, 'draft'))).toEqual({ kind: 'failed', why });
  });

  test('that nobody named is not guessed without a terminal', async () => {
    const { person } = personWith({}, false);
    expect(await person.edit(join(root, 'draft'))).toEqual({ kind: 'no-editor' });
  });

  test('decides itself what a Ctrl-C is: fluffy goes on', async () => {
    // As a terminal does, which sends it to both.
    const { person } = personWith({
      EDITOR: script('ed', `trap : INT; kill -INT ${process.pid} $$; echo done > "$1"`),
    });
    const draft = join(root, 'draft');
    expect(await person.edit(draft)).toEqual({ kind: 'closed' });
    expect(readFileSync(draft, 'utf8')).toBe('done\n');
    const ended = await Promise.race([person.ended, Promise.resolve('goes on')]);
    expect(ended).toBe('goes on');
  });

  test('decides that too where a shell is between', async () => {
    const file = script('ed', 'kill -INT $PPID; echo done > "$1"');
    const { person } = personWith({ EDITOR: `true && ${file}` });
    expect(await person.edit(join(root, 'draft'))).toEqual({ kind: 'closed' });
    expect(readFileSync(join(root, 'draft'), 'utf8')).toBe('done\n');
  });

  test('is ended first when fluffy is', async () => {
    const text = `echo mine > "$1"; kill -TERM ${process.pid}; exec sleep 600`;
    const { person } = personWith({ EDITOR: script('ed', text) });
    expect(await person.edit(join(root, 'draft'))).toEqual({ kind: 'ended', by: 'SIGTERM' });
    expect(readFileSync(join(root, 'draft'), 'utf8')).toBe('mine\n');
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s while no editor runs is told to whoever waits', async (signal) => {
  const { person } = personWith({ EDITOR: 'true' });
  await person.edit(join(root, 'draft'));
  process.kill(process.pid, signal);
  expect(await person.ended).toBe(signal);
});

describe('a question', () => {
  test.each<[string, string, unknown]>([
    ['a line', 'yes\r', 'yes'],
    ['Ctrl-C', '\u0003', { kind: 'ended', by: 'SIGINT' }],
    ['Ctrl-D', '\u0004', { kind: 'ended', by: 'end-of-input' }],
  ])('is answered by %s', async (_name, keys, answer) => {
    const { person, input } = personWith({});
    const asked = person.ask('Sure? ');
    input.write(keys);
    expect(await asked).toEqual(answer);
  });

  test('is not asked where nobody is', async () => {
    expect(await personWith({}, false).person.ask('Sure? ')).toBeNull();
  });

  test.each([true, false])('that is moot ends, and leaves the terminal to others (before: %s)', async (before) => {
    const { person, input } = personWith({});
    const moot = new AbortController();
    if (before) moot.abort();
    const asked = person.ask('Sure? ', moot.signal);
    if (!before) moot.abort();
    expect(await asked).toEqual({ kind: 'ended', by: 'end-of-input' });
    const next = person.ask('And now? ');
    input.write('y\r');
    expect(await next).toBe('y');
  });
});
