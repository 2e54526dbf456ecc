import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseIgnoreFile, ruleMatches } from '../../../../src/lib/globs/ignore-rules.ts';
import { createIgnoreView } from '../../../../src/platform/fs/ignore/ignore-view.ts';
import { rounds, seededRandom } from '../../../seeded-random.ts';

const ENV = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

/** Which of the paths real git ignores, given the ignore files. Directories end in a slash. */
function gitIgnores(ignoreFiles: Readonly<Record<string, string>>, paths: readonly string[]): Set<string> {
  const root = mkdtempSync(join(tmpdir(), 'fluffy-ignore-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', root], { env: ENV });
  for (const path of paths) {
    if (path.endsWith('/')) mkdirSync(join(root, path), { recursive: true });
    else {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '');
    }
  }
  for (const [path, text] of Object.entries(ignoreFiles)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { stdout } = spawnSync('git', ['check-ignore', '-z', '--stdin', '--no-index'], {
    cwd: root,
    env: ENV,
    input: paths.map((path) => path.replace(/\/$/, '')).join('\0'),
  });
  return new Set(
    stdout
      .toString()
      .split('\0')
      .filter((path) => path !== ''),
  );
}

function weIgnore(ignoreFiles: Readonly<Record<string, string>>, paths: readonly string[]): Set<string> {
  const view = createIgnoreView({
    ignoreFile: (directory) => ignoreFiles[directory === '' ? '.gitignore' : `${directory}/.gitignore`] ?? null,
    exclude: () => ignoreFiles['.git/info/exclude'] ?? null,
  });
  return new Set(
    paths
      .filter((path) => view.isIgnored(path.replace(/\/$/, ''), path.endsWith('/')))
      .map((path) => path.replace(/\/$/, '')),
  );
}

const PATHS = [
  'a',
  'b.js',
  'b.min.js',
  'foo',
  'foo.txt',
  '#hash',
  '!bang',
  'trail ',
  'x[1]',
  'a b',
  'star*',
  'q?',
  'dir/',
  'dir/a',
  'dir/b.js',
  'dir/foo/',
  'dir/foo/a',
  'dir/foo/keep',
  'build/',
  'build/out.js',
  'build/keep/',
  'build/keep/x',
  'src/',
  'src/a/',
  'src/a/b/',
  'src/a/b/c.js',
  'src/dir/',
  'src/dir/a',
  'src/build/',
  'src/build/out.js',
  'é',
  'Upper',
  'a1',
  'a]',
  'a-',
];

describe('ignore rules, compared with git', () => {
  it.each([
    ['names, directories, anchors', { '.gitignore': 'foo\nbuild/\n/dir/a\nsrc/*.js\n' }],
    ['the last match wins', { '.gitignore': '*.js\n!b.js\nb.*\n!/b.js\n' }],
    ['nothing in an ignored directory comes back', { '.gitignore': 'build\n!build/keep\n!build/keep/x\n' }],
    ['contents ignored, one directory kept', { '.gitignore': '/build/*\n!/build/keep/\n' }],
    ['double stars', { '.gitignore': '**/a\nsrc/**/c.js\ndir/**\n!dir/foo\n' }],
    ['double stars inside a name', { '.gitignore': 'sr**/dir\nf**o\n' }],
    ['escapes and blanks', { '.gitignore': '\\#hash\n\\!bang\ntrail\\ \nfoo   \n# foo.txt\na\\ b\nstar\\*\nq\\?\n' }],
    ['brackets', { '.gitignore': 'x[[]1]\na[0-9]\na[]-]\n[[:upper:]]pper\n[!a-z]\n' }],
    ['broken brackets', { '.gitignore': 'a[\n[a-\nfoo\n[[:nope:]]\n' }],
    ['nested files', { '.gitignore': '*.js\n', 'dir/.gitignore': '!b.js\n/foo\n', 'src/a/.gitignore': 'b/\n' }],
    ['info/exclude last of all', { '.git/info/exclude': 'foo\na\n', '.gitignore': '!a\n' }],
    ['carriage returns and no newline at the end', { '.gitignore': 'foo\r\nbuild/' }],
    ['a byte order mark', { '.gitignore': '\ufefffoo\n' }],
    ['everything, then exceptions', { '.gitignore': '*\n!*/\n!*.js\n' }],
    ['only a slash, only stars', { '.gitignore': '/\n//\n' }],
    ['a slash in the middle anchors', { '.gitignore': 'dir/foo\nfoo/keep\n' }],
    ['a leading double star with a slash behind', { '.gitignore': '**/build/\n' }],
  ])('%s', (_, ignoreFiles) => {
    expect(weIgnore(ignoreFiles, PATHS)).toEqual(gitIgnores(ignoreFiles, PATHS));
  });

  it.each(Array.from({ length: rounds(12, 400) }, (_, seed) => seed))('random patterns (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
    const pieces = [
      'a',
      'b',
      'foo',
      'dir',
      'src',
      'build',
      '*',
      '**',
      '?',
      '/',
      '/',
      '!',
      '.js',
      '[ab]',
      '[!a]',
      '\\*',
      'keep',
      '[a-',
    ];
    const file = (): string =>
      Array.from({ length: 6 }, () =>
        Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(pieces)).join(''),
      ).join('\n');
    const ignoreFiles = { '.gitignore': file(), 'dir/.gitignore': file(), 'src/.gitignore': file() };
    expect(weIgnore(ignoreFiles, PATHS), JSON.stringify(ignoreFiles)).toEqual(gitIgnores(ignoreFiles, PATHS));
  });

  it('takes no longer for a pattern made to be slow', () => {
    const [rule] = parseIgnoreFile(`${'*a'.repeat(60)}b`);
    const [deep] = parseIgnoreFile(`${'**/a/'.repeat(60)}b`);
    expect(rule !== undefined && ruleMatches(rule, 'a'.repeat(250), false)).toBe(false);
    expect(deep !== undefined && ruleMatches(deep, 'a/'.repeat(250).slice(0, -1), false)).toBe(false);
  });
});
