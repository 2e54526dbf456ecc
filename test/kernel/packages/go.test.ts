import { describe, expect, it } from 'vitest';
import { go } from '../../../src/kernel/packages/go.ts';
import { npm } from '../../../src/kernel/packages/npm.ts';
import { pip } from '../../../src/kernel/packages/pip.ts';

const HEAD = 'module job.example/job\n\ngo 1.21\n';
const sum = (path: string, version: string, digest = 'a') =>
  `${path} ${version} h1:${digest.repeat(43)}=\n${path} ${version}/go.mod h1:${digest.repeat(43)}=\n`;
const BASE = sum('work.example/base', 'v0.5.0');
const add = (name: string, version?: string, dev = false) =>
  ({ kind: 'add', name, dev, ...(version === undefined ? {} : { version }) }) as const;
const INSTALL = { kind: 'install' } as const;

describe('Go is not run', () => {
  it.each([
    [
      'a directory in place of a module',
      `${HEAD}replace a.example/b => ../b\n`,
      /replaces a\.example\/b with a directory/,
    ],
    ['one of a version', `${HEAD}replace a.example/b v1.0.0 => /srv/b\n`, /with a directory/],
    ['one in a block', `${HEAD}replace (\n\ta.example/b => "./b" // why\n)\n`, /with a directory/],
    ['no name of a module', 'go 1.21\n', /names no module/],
    ['a block in a block', `${HEAD}require (\nreplace (\n)\n`, /cannot be read/],
    ['a block on one line', `${HEAD}replace ( a.example/b => ../b )\n`, /cannot be read/],
  ])('on a go.mod with %s', (_what, manifest, why) => {
    expect(go.whyNot({ manifest, lockfile: BASE }, INSTALL)).toMatch(why);
  });

  it.each([
    ['other words', 'sum of all\n'],
    ['a hash of another kind', 'a.example/b v1.0.0 h2:aaaa\n'],
    ['two digests of one module', `${BASE}${sum('work.example/base', 'v0.5.0', 'b')}`],
  ])('on a go.sum with %s', (_what, lockfile) => {
    expect(go.whyNot({ manifest: HEAD, lockfile }, INSTALL)).toMatch(/go\.sum cannot be read/);
  });

  it('without a go.sum, for a package of Go itself, for development, with a foreign version', () => {
    const whyNot = (lockfile: string | null, request: Parameters<typeof go.whyNot>[1], manifest = HEAD) =>
      go.whyNot({ manifest, lockfile }, request);
    expect(whyNot(null, INSTALL)).toMatch(/nothing to install/);
    expect(whyNot(null, INSTALL, `${HEAD}require a.example/b v1.0.0\n`)).toMatch(/go\.sum names no module/);
    expect(whyNot(null, add('encoding/json'))).toMatch(/Packages of Go itself/);
    expect(whyNot(null, add('a.example/b', undefined, true))).toMatch(/without dev/);
    expect(whyNot(null, add('a.example/b', '1.2.3'))).toMatch(/not a valid version for Go/);
    expect(whyNot(null, add('a.example/b', 'none'))).toMatch(/not a valid version for Go/);
    for (const version of ['v1', 'v1.2.3-rc.1', 'v2.0.0+incompatible', '>=v1.2.0', 'latest'])
      expect(whyNot(null, add('a.example/b', version))).toBeNull();
  });
});

it('npm and pip take no name with a slash for a package', () => {
  expect(npm.whyNot({ manifest: '{}', lockfile: null }, add('a/b'))).toMatch(/not a valid/);
  expect(npm.whyNot({ manifest: '{}', lockfile: null }, add('@a/b'))).toBeNull();
  expect(pip.whyNot({ manifest: '', lockfile: '' }, add('a/b'))).toMatch(/not a valid/);
});

it('names the modules that go.sum has, and those that go.mod lists for the project itself', () => {
  const manifest = `${HEAD}require (\n\twork.example/base v0.5.0\n\twork.example/other v1.0.0 // indirect\n)\n`;
  const digest = `h1:${'a'.repeat(43)}=`;
  expect(go.named({ manifest, lockfile: `${BASE}${sum('work.example/other', 'v1.0.0')}` })).toEqual({
    packages: [
      { name: 'work.example/base', version: 'v0.5.0', hasInstallScript: false, listed: 'go.mod', digest },
      { name: 'work.example/other', version: 'v1.0.0', hasInstallScript: false, listed: null, digest },
    ],
    isComplete: true,
  });
});

describe('two of go.mod', () => {
  it.each([
    ['a module more', `${HEAD}\nrequire a.example/b v1.0.0\n`, true],
    ['a block of them', `${HEAD}\nrequire (\n\ta.example/b v1.0.0 // indirect\n)\n`, true],
    ['a replacement', `${HEAD}\nreplace a.example/b => a.example/c v1.0.0\n`, false],
    ['a later Go', HEAD.replace('1.21', '1.22'), false],
    ['another name', HEAD.replace('/job', '/other'), false],
  ])('that differ by %s', (_what, after, expected) => {
    expect(go.onlyListsChanged?.(HEAD, after)).toBe(expected);
  });
});

describe('what Go left is refused', () => {
  const done = (manifest: string, lockfile: string): Parameters<typeof go.judge>[1] => ({
    kind: 'done',
    manifest,
    lockfile,
    facts: [],
    scripts_run: [],
    scripts_skipped: [],
  });
  const listed = `${HEAD}\nrequire work.example/base v0.5.0\n`;
  const before = { manifest: listed, lockfile: BASE };
  const PLAIN = `${HEAD}\nrequire (\n\twork.example/base v0.5.0\n\twork.example/plain v1.2.0\n)\n`;
  const MORE = `${BASE}${sum('work.example/plain', 'v1.2.0')}`;
  const request = add('work.example/plain');

  it('unless it lists the module, what that needs and a Go that is late enough, and nothing else', () => {
    const manifest = `${PLAIN.replace('1.21', '1.24.0')}require a.example/b v1.0.0 // indirect\n`;
    expect(go.judge(before, done(manifest, MORE), request)).toMatchObject({ kind: 'good', name: 'work.example/plain' });
    expect(go.judge(before, done(PLAIN, MORE), add('work.example/plain/deep')).kind).toBe('good');
  });

  it.each([
    ['without the toolchain that it no longer needs', 'toolchain go1.21.3\n', ''],
    [
      'with excluded versions in a block, sorted',
      'exclude b.example/b v1.0.0 // broken\n\nexclude a.example/a v1.0.0\n',
      'exclude (\n\ta.example/a v1.0.0\n\tb.example/b v1.0.0 // broken\n)\n',
    ],
    [
      'with replacements in a block',
      'replace a.example/a => b.example/b v1.0.0\n',
      'replace (\n\ta.example/a => b.example/b v1.0.0\n)\n',
    ],
  ])('or writes go.mod as Go itself does: %s', (_what, old, now) => {
    const from = { manifest: `${listed}${old}`, lockfile: BASE };
    expect(go.judge(from, done(`${PLAIN}${now}`, MORE), request).kind).toBe('good');
    expect(go.onlyListsChanged?.(from.manifest, `${PLAIN}${old}`)).toBe(true);
  });

  it('and says on the card which lines beside modules are other ones', () => {
    const old = `${listed}toolchain go1.21.3\n`;
    expect(go.changedBeside?.(old, PLAIN.replace('1.21', '1.24.0'))).toEqual([
      'go.mod changes go from 1.21 to 1.24.0.',
      'go.mod loses its line toolchain go1.21.3.',
    ]);
    expect(go.changedBeside?.(listed, `${PLAIN}toolchain go1.25.0\n`)).toEqual([
      'go.mod gets the line toolchain go1.25.0.',
    ]);
    expect(go.changedBeside?.(listed, PLAIN)).toEqual([]);
    expect(go.onlyListsChanged?.(old, PLAIN)).toBe(false);
  });

  it.each([
    ['a replacement', `${PLAIN}replace work.example/base => a.example/b v1.0.0\n`, MORE, /beyond/],
    ['a toolchain', `${PLAIN}toolchain go1.25.0\n`, MORE, /beyond/],
    ['an excluded version gone', PLAIN, MORE, /beyond/, `${listed}exclude a.example/a v1.0.0\n`],
    [
      'another toolchain',
      `${PLAIN}toolchain go1.25.0\n`,
      MORE,
      /toolchain go1\.25\.0/,
      `${listed}toolchain go1.21.3\n`,
    ],
    ['an earlier Go', PLAIN.replace('1.21', '1.9'), MORE, /no later one/],
    ['another module', PLAIN.replace(')', '\ta.example/b v1.0.0\n)'), MORE, /lists a\.example\/b/],
    ['a module gone', PLAIN.replace('\twork.example/base v0.5.0\n', ''), MORE, /work\.example\/base is gone/],
    ['no such module', listed, BASE, /has no work\.example\/plain/],
    ['no digest of it', PLAIN, BASE, /no digest/],
    [
      'another digest of an old one',
      PLAIN,
      MORE.replace(`v0.5.0 h1:${'a'.repeat(43)}`, `v0.5.0 h1:${'c'.repeat(43)}`),
      /lost the line/,
    ],
  ])('with %s', (_what, manifest, lockfile, why, old = listed) => {
    const judged = go.judge({ ...before, manifest: old }, done(manifest, lockfile), request);
    expect(judged.kind === 'refused' ? judged.why : '').toMatch(why);
  });

  it('where it was to install, and changed something', () => {
    expect(go.judge(before, done(listed, MORE), INSTALL).kind).toBe('refused');
    expect(go.judge(before, done(PLAIN, BASE), INSTALL).kind).toBe('refused');
    expect(go.judge(before, done(listed, BASE), INSTALL)).toMatchObject({ kind: 'good', installed: 1, added: [] });
  });
});
