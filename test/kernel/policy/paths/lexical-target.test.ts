import { describe, expect, test } from 'vitest';
import { lexicalTarget } from '../../../../src/kernel/policy/index.ts';

const ROOT = '/home/user/project';

const NORMALISED: readonly [sent: string, path: string][] = [
  ['src/a.ts', 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['src//a.ts', 'src/a.ts'],
  ['src/./a.ts', 'src/a.ts'],
  ['src/', 'src'],
  ['src/lib/../a.ts', 'src/a.ts'],
  ['a/../x', 'x'],
  ['.', ''],
  ['src/..', ''],
  [`${ROOT}/src/a.ts`, 'src/a.ts'],
  [`${ROOT}/../project/src/a.ts`, 'src/a.ts'],
  [ROOT, ''],
  [`/${ROOT}/a`, 'a'],
  ['-rf', '-rf'],
  ['--help/x', '--help/x'],
  ['.gitignore', '.gitignore'],
  ['.git/config', '.git/config'],
  ['.fluffy/policy.yaml', '.fluffy/policy.yaml'],
  ['.gitkeep', '.gitkeep'],
  ['README.MD', 'README.MD'],
  ['src/Ünïcödé.ts', 'src/Ünïcödé.ts'],
  ['docs/日本語.md', 'docs/日本語.md'],
  ['a b/c d.txt', 'a b/c d.txt'],
];

const REFUSED: readonly [why: string, sent: string][] = [
  ['nothing', ''],
  ['up and out', '..'],
  ['up and out', '../etc/passwd'],
  ['up and out, later', 'src/../../etc/passwd'],
  ['up and out and back in', '../project/src/a.ts'],
  ['absolute', '/etc/passwd'],
  ['absolute, beside the project', '/home/user/project2/a'],
  ['absolute, out of the project', `${ROOT}/../other/a`],
  ['the process of somebody', '/proc/self/root/etc/passwd'],
  ['a descriptor', '/dev/fd/3'],
  ['a home directory', '~/.ssh/id_rsa'],
  ['a home directory', '~'],
  ['a drive', 'C:/Windows'],
  ['a backslash', 'src\\a.ts'],
  ['a backslash before ..', '..\\..\\etc'],
  ['NUL', 'src/a.ts\0.png'],
  ['a newline', 'src/a\n.ts'],
  ['a carriage return', 'src/a\r'],
  ['a tab', 'a\tb'],
  ['an escape sequence', 'a\u001b[2Jb'],
  ['a C1 control', 'a\u009bb'],
  ['a line separator', 'a\u2028b'],
  ['zero width space', 'src/\u200Ba.ts'],
  ['zero width joiner', '.g\u200Dit/config'],
  ['byte order mark', '\uFEFFsrc/a.ts'],
  ['soft hyphen', '.gi\u00ADt/config'],
  ['right-to-left override', 'src/\u202Egnp.ts'],
  ['isolate', 'a\u2066b'],
  ['variation selector', '.git\uFE0F/config'],
  ['a tag character', 'a\u{E0041}'],
  ['private use', 'a\uE000'],
  ['a lone surrogate', 'a\uD800b'],
  ['Unicode form NFD', 'cafe\u0301.ts'],
  ['a case twin of .git', '.GIT/config'],
  ['a case twin of .git, deep', 'vendor/.Git/hooks/x'],
  ['a fullwidth twin of .git', '.ｇit/config'],
  ['a compatibility twin of .git', '.gⁱt/config'],
  ['a case twin of .fluffy', '.Fluffy/policy.yaml'],
  ['a ligature twin of .fluffy', '.fluﬀy/policy.yaml'],
  ['a case twin of .gitattributes', '.GitAttributes'],
  ['the short name of .git', 'git~1/config'],
  ['the short name of .fluffy', 'FLUFFY~1/policy.yaml'],
  ['a stream of .git', '.git::$INDEX_ALLOCATION/config'],
  ['.git and a dot', '.git./config'],
  ['.git and a space', '.git /config'],
  ['a trailing dot', 'src/a.ts.'],
  ['a trailing space', 'src/a.ts '],
  ['three dots', '.../a'],
  ['a name that is too long', `${'a'.repeat(256)}`],
  ['a name that is too long in bytes', `${'é'.repeat(128)}`],
  ['a path that is too long', `${'a/'.repeat(2048)}aa`],
];

describe('normalised', () => {
  test.each(NORMALISED)('%j is %j', (sent, path) => {
    expect(lexicalTarget(sent, ROOT)).toMatchObject({ kind: 'ok', path });
  });
});

describe('refused', () => {
  test.each(REFUSED)('%s: %j', (_, sent) => {
    expect(lexicalTarget(sent, ROOT)).toMatchObject({ kind: 'refused', code: 'path_refused' });
  });
});

test('what is normalised stays the same when it is read again', () => {
  for (const [, path] of NORMALISED) {
    if (path !== '') expect(lexicalTarget(path, ROOT)).toMatchObject({ kind: 'ok', path });
  }
});

test('a trailing slash, and what can only be a directory, is remembered', () => {
  const directory = (sent: string) => {
    const target = lexicalTarget(sent, ROOT);
    return target.kind === 'ok' && target.directory;
  };
  expect(['src/', '.', 'src/.', 'a/..', `${ROOT}/`].map(directory)).toEqual([true, true, true, true, true]);
  expect(['src', '.git', 'a/.env', '..a', 'a/b'].map(directory)).toEqual([false, false, false, false, false]);
});

test('without a project there is nothing that an absolute path could be in', () => {
  expect(lexicalTarget('/home/user/project/a', null).kind).toBe('refused');
  expect(lexicalTarget('a', null)).toMatchObject({ kind: 'ok', path: 'a' });
});

test('a refusal repeats nothing that was sent: it is shown on terminals', () => {
  for (const [, sent] of REFUSED) {
    const target = lexicalTarget(sent, ROOT);
    expect(target.kind === 'refused' && target.reason).toMatch(/^[\x20-\x7e]+$/);
  }
});
