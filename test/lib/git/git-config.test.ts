import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { booleanSetting, parseGitConfig } from '../../../src/lib/git/git-config.ts';

const directory = mkdtempSync(join(tmpdir(), 'fluffy-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What git reads from the same text, or null when it refuses it. */
function byGit(text: string): string[] | null {
  const file = join(directory, 'config');
  writeFileSync(file, text);
  try {
    const output = execFileSync('git', ['config', '--file', file, '--list', '-z'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.toString().split('\0').slice(0, -1);
  } catch {
    return null;
  }
}

function byUs(text: string): string[] | null {
  const outcome = parseGitConfig(text);
  return outcome.kind === 'ok' ? outcome.settings.map(({ name, value }) => `${name}\n${value}`) : null;
}

const TEXTS = [
  '',
  '[user]\n\tname = Ada Example\n\temail=ada@example.org\n',
  '[User]\nNAME = x\n[CORE "Sub.Section"]\nKey-One = y\n',
  '[a "quo\\"ted\\\\"]\nb = c\n',
  '[a] b = c\n[d]e=f',
  '[a]\nb = "in  quotes  " and out   # comment\nc = x;y\nd = "x;y" ; comment\n',
  '[a]\nb = one \\\n  two\\\n three\n',
  '[a]\nb = tab\\tnewline\\nback\\\\slash\\"quote\n',
  '[a]\nb = x \\\\\nc = y\n',
  '# comment\n; comment\n\n[a]\n# comment\nb = c # d\n',
  '\ufeff[a]\nb = c\n',
  '[a]\r\nb = c\r\n',
  '[a.b]\nc = d\n',
  '[a]\nb =\nc = ""\n',
  '[a]\nb = "open\n',
  '[a]\nb = \\x\n',
  '[a\nb = c\n',
  '[a]\n1b = c\n',
  'b = c\n',
  '[a "x]\nb = c\n',
  '[a]\nb c\n',
  '[a]\nb=c=d\n  e = "f" "g"\n',
];

describe('reads what git reads, and refuses what it refuses', () => {
  test.each(TEXTS)('%j', (text) => {
    expect(byUs(text)).toEqual(byGit(text));
  });
});

test('a key without a value is true', () => {
  expect(parseGitConfig('[a]\nb\n')).toEqual({ kind: 'ok', settings: [{ name: 'a.b', value: 'true' }] });
});

test.each(['true', 'Yes', 'ON', '1', 'false', 'no', 'Off', '0', ''])(
  'the boolean %j is what git takes it for',
  (value) => {
    writeFileSync(join(directory, 'boolean'), `[a]\nb = ${value}\n`);
    const asked = execFileSync('git', ['config', '--file', join(directory, 'boolean'), '--bool', 'a.b'])
      .toString()
      .trim();
    expect(String(booleanSetting([{ name: 'a.b', value }], 'a.b'))).toBe(asked);
  },
);

test('a setting that is no boolean, or not there, is neither', () => {
  expect(booleanSetting([{ name: 'a.b', value: 'maybe' }], 'a.b')).toBeUndefined();
  expect(booleanSetting([], 'a.b')).toBeUndefined();
});
