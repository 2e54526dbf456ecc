import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GrepQuery, Workspace } from '../../../../src/contracts/ports/workspace.ts';
import { fixture, isRoot, path, shell, stageText, withOverlay } from '../fixture.ts';

const never = new AbortController().signal;

async function grep(workspace: Workspace, query: Partial<GrepQuery> & { pattern: string }): Promise<string[] | string> {
  const outcome = await workspace.grep(
    { path: path(''), ignoreCase: false, contextLines: 0, maxResults: 100, ...query },
    never,
  );
  if (outcome.kind !== 'ok') return outcome.kind;
  return outcome.matches.map((match) => `${match.path}:${match.line}${match.context ? '-' : ':'}${match.text}`);
}

const glob = async (workspace: Workspace, pattern: string, at = '', max = 100): Promise<string[]> =>
  (await workspace.glob(pattern, path(at), max)).paths;

describe('grep', () => {
  it('finds in project and staging, each file in the layer that counts', async () => {
    const workspace = await fixture({ 'src/a': 'needle old\n', 'src/b': 'needle\n', 'src/c': 'hay\n' }).open();
    await stageText(workspace, 'src/a', 'needle new\n');
    await stageText(workspace, 'src/c', 'needle too\n');
    await stageText(workspace, 'deep/er/d', 'a needle\n');
    expect(await grep(workspace, { pattern: 'needle' })).toEqual([
      'deep/er/d:1:a needle',
      'src/a:1:needle new',
      'src/b:1:needle',
      'src/c:1:needle too',
    ]);
    await stageText(workspace, 'src/b', 'gone\n');
    expect(await grep(workspace, { pattern: 'needle', path: path('src') })).toEqual([
      'src/a:1:needle new',
      'src/c:1:needle too',
    ]);
  });

  it.runIf(isRoot)('finds nothing in what was deleted or hidden', async () => {
    const fix = fixture({ 'a/x': 'needle\n', 'b/x': 'needle\n', 'b/y': 'needle\n', c: 'needle\n' });
    const workspace = await fix.open();
    const outcome = await workspace.overlay((slot) =>
      withOverlay(fix, slot, (merged) => shell('rm -r a; rm -r b; mkdir b; echo needle > b/z; rm c', merged)),
    );
    if (outcome.kind !== 'completed') throw new Error(outcome.kind);
    await outcome.accept(new Set(outcome.changes.map((change) => change.path)));
    expect(await grep(workspace, { pattern: 'needle' })).toEqual(['b/z:1:needle']);
    expect(await glob(workspace, '**')).toEqual(['b/z']);
  });

  it('leaves out what git ignores, unless it is named; and never looks into .git', async () => {
    const workspace = await fixture({
      '.gitignore': 'node_modules/\n*.log\n',
      'node_modules/p/index.js': 'needle\n',
      'a.log': 'needle\n',
      'sub/.gitignore': 'local\n',
      'sub/local': 'needle\n',
      '.github/w.yml': 'needle\n',
      '.git/config': 'needle\n',
      '.ignore': 'kept\n',
      kept: 'needle\n',
    }).open();
    expect(await grep(workspace, { pattern: 'needle' })).toEqual(['.github/w.yml:1:needle', 'kept:1:needle']);
    expect(await grep(workspace, { pattern: 'needle', glob: '*.log' })).toEqual([]);
    expect(await grep(workspace, { pattern: 'needle', path: path('sub') })).toEqual([]);
    expect(await grep(workspace, { pattern: 'needle', path: path('a.log') })).toEqual(['a.log:1:needle']);
    expect(await grep(workspace, { pattern: 'needle', path: path('node_modules/p') })).toEqual([
      'node_modules/p/index.js:1:needle',
    ]);
  });

  it('goes by the ignore files above the directory that is searched, with a pattern for names or without', async () => {
    const workspace = await fixture({
      '.gitignore': '*.log\n/sub/out/\n',
      '.git/info/exclude': 'private\n',
      'sub/deep/a.log': 'needle\n',
      'sub/deep/private': 'needle\n',
      'sub/deep/b': 'needle\n',
      'sub/out/c': 'needle\n',
    }).open();
    for (const at of ['', 'sub', 'sub/deep'])
      for (const names of [{}, { glob: '**' }])
        expect(await grep(workspace, { pattern: 'needle', path: path(at), ...names })).toEqual(['sub/deep/b:1:needle']);
  });

  it('finds what is staged however much the project holds, and searches no layer that is empty', async () => {
    const workspace = await fixture({ a: 'needle\n'.repeat(5_000) }).open();
    expect(await grep(workspace, { pattern: 'needle', maxResults: 1 })).toEqual(['a:1:needle']);
    await stageText(workspace, '0', 'needle staged\n');
    expect(await grep(workspace, { pattern: 'needle', maxResults: 1 })).toEqual(['0:1:needle staged']);
    expect(await grep(workspace, { pattern: 'needle', maxResults: 1, path: path('a') })).toEqual(['a:1:needle']);
  });

  it('goes by the staged ignore file', async () => {
    const workspace = await fixture({ '.gitignore': 'old\n', old: 'needle\n', new: 'needle\n' }).open();
    await stageText(workspace, '.gitignore', 'new\n');
    expect(await grep(workspace, { pattern: 'needle' })).toEqual(['old:1:needle']);
    expect(await glob(workspace, '*')).toEqual(['.gitignore', 'old']);
  });

  it('does not follow links', async () => {
    const fix = fixture({ 'real/a': 'needle\n', link: '-> real', file: '-> real/a', out: '-> ../secret' });
    writeFileSync(join(fix.base, 'secret'), 'needle\n');
    const workspace = await fix.open();
    expect(await grep(workspace, { pattern: 'needle' })).toEqual(['real/a:1:needle']);
    expect(await grep(workspace, { pattern: 'needle', path: path('out') })).toEqual([]);
  });

  it('gives context, cuts at the bound, and keeps order', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => (index % 10 === 5 ? `needle ${index}` : `hay ${index}`));
    const workspace = await fixture({ b: `${lines.join('\n')}\n`, a: 'needle\n' }).open();
    expect(await grep(workspace, { pattern: 'needle', contextLines: 1, maxResults: 2 })).toEqual([
      'a:1:needle',
      'b:5-hay 4',
      'b:6:needle 5',
      'b:7-hay 6',
    ]);
    const outcome = await workspace.grep(
      { pattern: 'needle', path: path(''), ignoreCase: false, contextLines: 0, maxResults: 2 },
      never,
    );
    expect(outcome).toMatchObject({ kind: 'ok', truncated: true });
  });

  it('survives long lines and names that look like output', async () => {
    const workspace = await fixture({
      long: `${'x'.repeat(3_000_000)}needle\n`,
      'z:1:needle': 'needle\n',
      zz: 'needle 12:zz\n',
    }).open();
    const found = await grep(workspace, { pattern: 'needle' });
    expect(found).toHaveLength(3);
    expect(found).toEqual(expect.arrayContaining(['z:1:needle:1:needle', 'zz:1:needle 12:zz']));
    expect(String(found).length).toBeLessThan(2000);
  });

  // Apart from long lines: ripgrep keeps a buffer that one of them made larger, and then sees the NUL before the match.
  it('gives what a file has before it turns out to be binary', async () => {
    const late = `needle first\n${'x\n'.repeat(60_000)}\0needle\n`;
    const workspace = await fixture({ late, zz: 'needle\n' }).open();
    expect(await grep(workspace, { pattern: 'needle' })).toEqual(['late:1:needle first', 'zz:1:needle']);
  });

  it('says what is wrong with a pattern, and ends at its deadline or signal', async () => {
    const fix = fixture({ a: 'a\n' });
    const workspace = await fix.open();
    expect(await grep(workspace, { pattern: '(' })).toBe('invalid-pattern');
    expect(await grep(workspace, { pattern: 'a\0b' })).toBe('invalid-pattern');
    expect(await grep(workspace, { pattern: 'a', glob: '*\0' })).toBe('invalid-pattern');
    // A search that would go on for ever.
    const endless = join(fix.base, 'endless');
    writeFileSync(endless, '#!/bin/sh\nexec tail -f /dev/null\n', { mode: 0o755 });
    expect(await grep(await fix.open({ searchDeadlineMs: 1 }, endless), { pattern: 'a' })).toBe('timed-out');
    const query = { pattern: 'a', path: path(''), ignoreCase: false, contextLines: 0, maxResults: 1 };
    await expect(workspace.grep(query, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });

  it('ignores the configuration of whoever runs it', async () => {
    const fix = fixture({ a: 'needle\n' });
    writeFileSync(join(fix.base, 'ripgreprc'), '--replace=owned\n');
    process.env['RIPGREP_CONFIG_PATH'] = join(fix.base, 'ripgreprc');
    try {
      expect(await grep(await fix.open(), { pattern: 'needle' })).toEqual(['a:1:needle']);
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });
});

describe('glob', () => {
  const files = {
    'src/a.ts': '',
    'src/deep/b.ts': '',
    'src/c.js': '',
    'top.ts': '',
    '.gitignore': 'dist/\n',
    'dist/d.ts': '',
    'odd [name].ts': '',
  };

  it.each([
    ['*.ts', '', ['odd [name].ts', 'src/a.ts', 'src/deep/b.ts', 'top.ts']],
    ['/*.ts', '', ['odd [name].ts', 'top.ts']],
    ['**/*.ts', 'src', ['src/a.ts', 'src/deep/b.ts']],
    ['src/*.ts', '', ['src/a.ts']],
    ['src/**/*.{ts,js}', '', ['src/a.ts', 'src/c.js', 'src/deep/b.ts']],
    ['{src,dist}/*.ts', '', ['src/a.ts']],
    ['./src/a.ts', '', ['src/a.ts']],
    ['dist/d.ts', '', ['dist/d.ts']],
    ['dist/*.ts', '', ['dist/d.ts']],
    ['src/deep', '', ['src/deep/b.ts']],
    ['src/nothing.ts', '', []],
    ['odd \\[name\\].ts', '', ['odd [name].ts']],
    ['../*', '', []],
  ])('%s in "%s"', async (pattern, at, expected) => {
    expect(await glob(await fixture(files).open(), pattern, at)).toEqual(expected);
  });

  it('sees staged files, and says when it left some out', async () => {
    const workspace = await fixture(files).open();
    await stageText(workspace, 'src/new.ts', '');
    await stageText(workspace, 'dist/new.ts', '');
    expect(await glob(workspace, 'src/*.ts')).toEqual(['src/a.ts', 'src/new.ts']);
    expect(await glob(workspace, '*.ts')).not.toContain('dist/new.ts');
    expect(await workspace.glob('*.ts', path(''), 2)).toEqual({
      paths: ['odd [name].ts', 'src/a.ts'],
      truncated: true,
    });
  });
});

describe('isIgnored', () => {
  it('goes by the union, nested files and info/exclude', async () => {
    const workspace = await fixture({
      '.gitignore': '*.log\n',
      'sub/.gitignore': '!keep.log\n',
      '.git/info/exclude': 'private\n',
      'sub/x': '',
    }).open();
    const ignored = (file: string): Promise<boolean> => workspace.isIgnored(path(file));
    expect(await ignored('a.log')).toBe(true);
    expect(await ignored('sub/keep.log')).toBe(false);
    expect(await ignored('private')).toBe(true);
    await stageText(workspace, '.gitignore', 'sub/\n');
    expect(await ignored('a.log')).toBe(false);
    expect(await ignored('sub/x')).toBe(true);
  });
});
