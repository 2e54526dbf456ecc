import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles } from '../../../../src/cli/interactive/prompt/list-files.ts';
import { fixture, path } from '../fixture.ts';

const FILES = {
  'src/a.js': 'needle\n',
  'src/.gitignore': 'local\n',
  'src/local': 'needle\n',
  'sub/deep/b.js': 'needle\n',
  rules: 'a.js\n',
};

const made: Readonly<Record<string, (file: string) => unknown>> = {
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a link to a device': (file) => symlinkSync('/dev/zero', file),
  'a link to a pipe': (file) => {
    execFileSync('mkfifo', [`${file}-pipe`]);
    symlinkSync(`${file}-pipe`, file);
  },
};
const places = ['.gitignore', 'sub/deep/.gitignore', '.git/info/exclude'];

/** Each would last until its deadline. */
describe('a search ends where an ignore file is', () => {
  test.each(places.flatMap((place) => Object.keys(made).map((kind) => [kind, place] as const)))(
    '%s: %s',
    async (kind, place) => {
      const { project, open } = fixture(FILES);
      const file = join(project, place);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      made[kind]?.(file);
      const workspace = await open({ searchDeadlineMs: 60_000 });
      const query = { pattern: 'needle', path: path(''), ignoreCase: false, contextLines: 0, maxResults: 9 };
      const found = await workspace.grep(query, new AbortController().signal);
      expect(found).toMatchObject({ kind: 'ok', truncated: false });
      const files = ['src/a.js', 'sub/deep/b.js'];
      expect(found.kind === 'ok' && found.matches.map((match) => match.path)).toEqual(files);
      expect(await workspace.glob('**/*.js', path(''), 9)).toEqual({ paths: files, truncated: false });
      expect(await listFiles(project)).toEqual(expect.arrayContaining(files));
      expect(await listFiles(project)).not.toContain('src/local');
    },
  );
});

test('a link in the place of .gitignore has no rules, as for git', async () => {
  const { project, open } = fixture(FILES);
  symlinkSync('rules', join(project, '.gitignore'));
  writeFileSync(join(project, 'src/local'), '');
  const workspace = await open();
  expect((await workspace.glob('src/**', path(''), 9)).paths).toEqual(['src/.gitignore', 'src/a.js']);
  mkdirSync(join(project, '.git'));
  expect(await listFiles(project)).toEqual(['rules', 'src/.gitignore', 'src/a.js', 'sub/deep/b.js']);
});

test('a project whose .git is a file is searched', async () => {
  const { project, open } = fixture(FILES);
  rmSync(join(project, '.git'), { recursive: true, force: true });
  writeFileSync(join(project, '.git'), 'gitdir: /elsewhere\n');
  const workspace = await open();
  expect((await workspace.glob('sub/**', path(''), 9)).paths).toEqual(['sub/deep/b.js']);
  expect(await listFiles(project)).toEqual(expect.arrayContaining(['sub/deep/b.js']));
});

test.each(Object.keys(made))('a linked worktree whose shared rules are %s is searched without them', async (kind) => {
  const { project, open } = fixture(FILES);
  const shared = join(dirname(project), 'shared');
  const own = join(shared, 'worktrees', 'one');
  for (const directory of [own, join(shared, 'info')]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(own, 'commondir'), '../..\n');
  rmSync(join(project, '.git'), { recursive: true, force: true });
  writeFileSync(join(project, '.git'), `gitdir: ${own}\n`);
  made[kind]?.(join(shared, 'info', 'exclude'));
  const workspace = await open({ searchDeadlineMs: 60_000 });
  expect(await workspace.glob('**/*.js', path(''), 9)).toEqual({
    paths: ['src/a.js', 'sub/deep/b.js'],
    truncated: false,
  });
  expect(await listFiles(project)).toEqual(expect.arrayContaining(['sub/deep/b.js']));
});
