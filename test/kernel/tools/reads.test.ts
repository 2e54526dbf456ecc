import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import { asOrdinaryUser, fixture, stageText } from '../../platform/fs/fixture.ts';
import { performRead, useOf } from '../../support/kernel/calls.ts';
import type { SentCall } from '../../support/kernel/calls.ts';

async function run(workspace: Workspace, { tool, input }: SentCall, readable?: (path: string) => boolean) {
  const outcome = await performRead(workspace, useOf(tool, input), readable);
  return outcome.ok ? outcome.text : `${outcome.error.code}: ${outcome.error.message}`;
}

const read = (path: string, more: { offset?: number; limit?: number } = {}): SentCall => ({
  tool: 'fs.read',
  input: { path, ...more },
});

describe('fs.read', () => {
  it('numbers lines', async () => {
    const workspace = await fixture({ 'a.txt': 'one\ntwo\n' }).open();
    expect(await run(workspace, read('a.txt'))).toBe('     1\tone\n     2\ttwo');
  });

  it('shows staged content', async () => {
    const workspace = await fixture({ 'a.txt': 'old\n' }).open();
    await stageText(workspace, 'a.txt', 'new\n');
    expect(await run(workspace, read('a.txt'))).toBe('     1\tnew');
  });

  it('pages, and says how to go on', async () => {
    const text = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');
    const workspace = await fixture({ 'a.txt': text }).open();
    expect(await run(workspace, read('a.txt', { offset: 4, limit: 2 }))).toBe(
      '     4\tline 4\n     5\tline 5\n(lines 4 to 5 of 10; read on with offset 6)',
    );
    expect(await run(workspace, read('a.txt', { offset: 11 }))).toBe(
      'invalid_input: "a.txt" has 10 lines; offset 11 is behind its end.',
    );
  });

  it.each([
    ['empty', '', '"f" is empty.'],
    ['a missing newline at the end', 'x', '     1\tx\n(no newline at the end)'],
    ['CRLF', 'a\r\nb\r\n', '     1\ta\n     2\tb\n(lines end in CRLF)'],
    ['mixed line ends', 'a\r\nb\n', '     1\ta\n     2\tb\n(some lines end in CRLF)'],
    ['a byte order mark', '\ufeffa\n', '     1\ta\n(begins with a byte order mark)'],
    ['UTF-16', Buffer.from('\ufeffhé\n', 'utf16le'), '     1\thé\n(encoded as UTF-16LE)'],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x61, 0xff, 0x0a]),
      "     1\ta\ufffd\n(not valid UTF-8: what can't be read is shown as \ufffd)",
    ],
    ['a binary', Buffer.from([1, 0, 2]), '"f" is a binary file of 3 bytes; its content is not shown.'],
  ])('tells of %s', async (_, content, shown) => {
    const fix = fixture();
    writeFileSync(join(fix.project, 'f'), content);
    expect(await run(await fix.open(), read('f'))).toBe(shown);
  });

  it('cuts lines that are too long and answers that are too large', async () => {
    const workspace = await fixture({
      long: `${'x'.repeat(5000)}\n`,
      many: `${'y'.repeat(100)}\n`.repeat(3000),
    }).open();
    expect(await run(workspace, read('long'))).toMatch(/^ {5}1\tx{2000}… \(3000 more characters in this line\)$/);
    const shown = await run(workspace, read('many', { limit: 3000 }));
    expect(shown.length).toBeLessThan(81_000);
    expect(shown).toMatch(/\(lines 1 to \d+ of 3000; read on with offset \d+\)$/);
  });

  it('refuses what is too large to be of use', async () => {
    const fix = fixture();
    writeFileSync(join(fix.project, 'huge'), Buffer.alloc(17 * 1024 * 1024, 'a'));
    expect(await run(await fix.open(), read('huge'))).toMatch(/^too_large: .*Use search\.grep/);
  });

  it.each([
    ['src/parseConfg.ts', 'There is no "src/parseConfg.ts". The nearest name in "src" is "parseConfig.ts".'],
    ['scr/parseConfig.ts', 'The nearest name in the project is "src". Files of that name: "src/parseConfig.ts".'],
    ['nothing/like/it', '"nothing"'],
  ])('says what is there instead of %s', async (path, hint) => {
    const workspace = await fixture({ 'src/parseConfig.ts': 'x', 'README.md': 'y' }).open();
    const answer = await run(workspace, read(path));
    expect(answer).toMatch(/^not_found: /);
    expect(answer).toContain(hint);
  });

  it('asks policy about the file that a link leads to', async () => {
    const workspace = await fixture({ '.env': 'KEY=1', 'notes.txt': '-> .env' }).open();
    expect(await run(workspace, read('notes.txt'), (path) => path !== '.env')).toMatch(/^policy_denied: .*"\.env"/);
  });

  it('sends directories to fs.list', async () => {
    expect(await run(await fixture({ 'src/a': '' }).open(), read('src'))).toBe(
      'invalid_input: "src" is a directory. Use fs.list.',
    );
  });
});

describe('fs.list and fs.exists', () => {
  it('shows what kind each entry is', async () => {
    const workspace = await fixture({ 'a/b': '', c: '', l: '-> c' }).open();
    expect(await run(workspace, { tool: 'fs.list', input: { path: '.' } })).toBe('a/\nc\nl -> c');
    expect(await run(workspace, { tool: 'fs.list', input: { path: 'c' } })).toBe(
      'invalid_input: "c" is a file. Use fs.read.',
    );
  });

  it('shows a name that would forge a line or steer a terminal in quotes', async () => {
    const workspace = await fixture({ 'a\nb': '', 'c\u001b[2J': '', 'd\u009bx': '' }).open();
    const shown = '"a\\nb"\n"c\\u001b[2J"\n"d\\u009bx"';
    expect(await run(workspace, { tool: 'fs.list', input: { path: '.' } })).toBe(shown);
    expect(await run(workspace, { tool: 'search.glob', input: { pattern: '*' } })).toBe(shown);
  });

  it('answers for what is not there', async () => {
    const workspace = await fixture({ 'a/b': '', l: '-> a' }).open();
    const exists = (path: string) => run(workspace, { tool: 'fs.exists', input: { path } });
    expect(await exists('a')).toBe('"a" exists and is a directory.');
    expect(await exists('l/b')).toBe('"l/b" exists and is a file, at "a/b".');
    expect(await exists('a/c')).toBe('"a/c" does not exist.');
  });
});

describe('search', () => {
  const files = { 'src/a.ts': 'one\nneedle\nthree\n', 'src/b.ts': 'needle\n', '.env': 'needle=secret\n' };
  const grep = (input: object): SentCall => ({
    tool: 'search.grep',
    input,
  });

  it('groups matches by file and keeps what policy denies out', async () => {
    const workspace = await fixture(files).open();
    const readable = (path: string) => path !== '.env';
    expect(await run(workspace, grep({ pattern: 'needle', context: 1 }), readable)).toBe(
      'src/a.ts\n  1- one\n  2: needle\n  3- three\n\nsrc/b.ts\n  1: needle',
    );
    expect(await run(workspace, grep({ pattern: 'secret' }), readable)).toMatch(/^Nothing matches/);
    expect(await run(workspace, grep({ pattern: 'needle', path: '.env' }), readable)).toMatch(/^policy_denied/);
  });

  it('says that there is more, and what is wrong with a pattern', async () => {
    const workspace = await fixture(files).open();
    expect(await run(workspace, grep({ pattern: 'needle', max_results: 1 }))).toContain(
      '(the first 1 match in 1 file;',
    );
    expect(await run(workspace, grep({ pattern: '(' }))).toMatch(/^invalid_input: [^]*unclosed group/);
  });

  it('finds files', async () => {
    const workspace = await fixture(files).open();
    const glob = (pattern: string, path?: string) =>
      run(workspace, { tool: 'search.glob', input: { pattern, ...(path === undefined ? {} : { path }) } });
    expect(await glob('**/*.ts')).toBe('src/a.ts\nsrc/b.ts');
    expect(await glob('*.ts', 'src')).toBe('src/a.ts\nsrc/b.ts');
    expect(await glob('*.py')).toMatch(/^No file matches/);
    expect(await glob('../*')).toMatch(/^path_refused/);
    expect(await glob('*.ts', 'scr')).toMatch(/^not_found: .*"src"/);
  });
});

describe('a file that may not be read', () => {
  it('is refused, not reported missing', async () => {
    const fix = fixture({ secret: 'x', 'closed/inner': 'x' });
    const workspace = await fix.open();
    for (const directory of [fix.base, fix.project]) chmodSync(directory, 0o755);
    for (const name of ['secret', 'closed']) chmodSync(join(fix.project, name), 0);
    await asOrdinaryUser(async () => {
      expect(await run(workspace, read('secret'))).toMatch(/^path_refused: .*permission denied/);
      expect(await run(workspace, read('closed/inner'))).toMatch(/^path_refused: .*permission denied/);
    });
    chmodSync(join(fix.project, 'closed'), 0o755);
  });

  it('is refused when it is no regular file', async () => {
    const fix = fixture();
    mkdirSync(join(fix.project, 'd'));
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(fix.project, 'd/pipe')]);
    expect(await run(await fix.open(), read('d/pipe'))).toMatch(/^path_refused: .*pipe/);
  });
});

describe('search.glob and policy', () => {
  const glob = (pattern: string, path?: string): SentCall => ({
    tool: 'search.glob',
    input: { pattern, ...(path === undefined ? {} : { path }) },
  });
  const readable = (path: string) => !path.includes('secret');

  it('leaves out names that may not be read', async () => {
    const workspace = await fixture({ 'a.txt': '', 'secret.txt': '', 'secrets/b.txt': '' }).open();
    expect(await run(workspace, glob('**/*.txt'), readable)).toBe('a.txt');
    expect(await run(workspace, glob('secrets/*'), readable)).toMatch(/^No file matches/);
    expect(await run(workspace, glob('*', 'secrets'), readable)).toMatch(/^policy_denied/);
  });

  it.each([['.git/**'], ['.git/config'], ['link/**'], ['sub/.git/**']])(
    'lists nothing of a repository for %s',
    async (pattern) => {
      const workspace = await fixture({
        '.git/config': '',
        '.git/hooks/x': '',
        'sub/.git/config': '',
        link: '-> .git',
      }).open();
      expect(await run(workspace, glob(pattern))).toMatch(/^No file matches/);
    },
  );
});
