import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readableDiff } from '../../../src/kernel/tools/shared/readable-diff.ts';

const readable = (path: string): boolean => !/(^|\/)\.env|secret/.test(path);

/** What git itself prints for a repository whose files become others. */
function gitDiff(before: Record<string, string>, change: (root: string) => void): string {
  const root = mkdtempSync(join(tmpdir(), 'fluffy-diff-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.quotePath=false', ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
  git('init', '-q');
  for (const [name, text] of Object.entries(before)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  change(root);
  git('add', '-A');
  return git('diff', 'HEAD');
}

const LONG = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');

it('keeps what may be read as git printed it, and drops the rest', () => {
  const names = ['a b/b c.txt', 'quo"te.txt', 'tab\there.txt', 'é.txt', 'back\\slash', 'diff --git x'];
  const diff = gitDiff({ 'old.txt': 'old\n' }, (root) => {
    for (const name of [...names, '.env', 'x/.env.local']) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), `content of ${name}\n`);
    }
    rmSync(join(root, 'old.txt'));
  });
  const found = readableDiff(diff, readable);
  expect(found.leftOut).toBe(2);
  expect(found.text).not.toContain('.env');
  for (const name of names) expect(found.text).toContain(`+content of ${name}\n`);
  expect(readableDiff(diff, () => true)).toEqual({ text: diff, leftOut: 0 });
});

it.each([
  ['away from', 'secret key', 'open.txt'],
  ['to', 'open.txt', 'secret key'],
])('drops a rename %s a name that may not be read', (_, from, to) => {
  const diff = gitDiff({ [from]: LONG }, (root) => {
    renameSync(join(root, from), join(root, to));
    writeFileSync(join(root, to), `${LONG}more\n`);
  });
  expect(diff).toContain('rename from');
  expect(readableDiff(diff, readable)).toEqual({ text: '', leftOut: 1 });
  expect(readableDiff(diff, () => true)).toEqual({ text: diff, leftOut: 0 });
});

const body = '--- x\n+++ x\n@@ -0,0 +1 @@\n+KEY=1\n';
it.each([
  ['without prefixes', `diff --git .env .env\n${body}`],
  ['of a merge', `diff --cc .env\n${body}`],
  ['with different names and no rename', `diff --git a/ok b/.env\n${body}`],
  ['with a rename its header does not have', `diff --git a/.env b/.env\nrename from ok\nrename to ok\n${body}`],
  ['with a quote that does not end', `diff --git "a/ok "b/ok\n${body}`],
  ['before any header', body],
  ['with lines of something else', `diff --git a/ok b/ok\n+x\nSubmodule y 1..2:\n KEY=1\n`],
  ['behind a cut', `… 99 bytes left out …\ndiff --git a/ok b/ok\n${body}`],
])('drops a part %s', (_, diff) => {
  const found = readableDiff(diff, () => true);
  expect(found.text).not.toContain('KEY');
  expect(found.leftOut).toBeGreaterThan(0);
});

it('does not take content for a header', () => {
  const diff = gitDiff({}, (root) => writeFileSync(join(root, '.env'), 'diff --git a/ok b/ok\nKEY=1\n\n@@ x\n'));
  expect(readableDiff(diff, readable)).toEqual({ text: '', leftOut: 1 });
});
