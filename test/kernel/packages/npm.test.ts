import { describe, expect, it } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { npm } from '../../../src/kernel/packages/npm.ts';

const MANIFEST = JSON.stringify({ name: 'app', scripts: { test: 'node --test' } });
const ADD: PackageRequest = { kind: 'add', name: 'ms', dev: false };
const ENTRY = { version: '2.1.3', integrity: 'sha512-x', resolved: 'https://registry.example/ms.tgz' };

const lockOf = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });
const manifestWith = (more: object): string => JSON.stringify({ ...(JSON.parse(MANIFEST) as object), ...more });
const done = (manifest: string, lockfile: string) => ({
  kind: 'done' as const,
  manifest,
  lockfile,
  facts: [],
  scripts_run: [],
  scripts_skipped: [],
});
const judgeAdd = (manifest: string, packages: object) =>
  npm.judge({ manifest: MANIFEST, lockfile: null }, done(manifest, lockOf(packages)), ADD);

describe('what a package manager has changed', () => {
  it('is good where it is the requested dependency and nothing else', () => {
    const judged = judgeAdd(manifestWith({ dependencies: { ms: '^2.1.3' } }), {
      'node_modules/ms': ENTRY,
      'node_modules/other': { ...ENTRY, version: '1.0.0', hasInstallScript: true },
    });
    expect(judged).toMatchObject({ kind: 'good', installed: 2, withScripts: ['other'] });
    expect(judged.kind === 'good' ? judged.added.map(({ name }) => name) : []).toEqual(['ms', 'other']);
  });

  const added = manifestWith({ dependencies: { ms: '^2.1.3' } });
  it.each([
    [
      'a script in the manifest',
      manifestWith({ dependencies: { ms: '1' }, scripts: { test: 'evil' } }),
      { 'node_modules/ms': ENTRY },
      'beyond',
    ],
    [
      'another dependency in the manifest',
      manifestWith({ dependencies: { ms: '1', evil: '1' } }),
      { 'node_modules/ms': ENTRY },
      'beyond',
    ],
    ['a lockfile without the package', added, { 'node_modules/other': ENTRY }, 'has no ms'],
    ['a package without integrity', added, { 'node_modules/ms': { version: '2.1.3' } }, 'no integrity of ms'],
    [
      'a package that says that it came with another',
      added,
      { 'node_modules/ms': { version: '2.1.3', inBundle: true } },
      'no integrity of ms',
    ],
    [
      'a package from git',
      added,
      { 'node_modules/ms': { ...ENTRY, resolved: 'git+ssh://host/ms.git' } },
      'not come from a registry',
    ],
    [
      'a directory in place of a package',
      added,
      { 'node_modules/ms': { resolved: '../ms', link: true } },
      'is a directory',
    ],
  ])('%s is refused', (_what, manifest, packages, why) => {
    expect(judgeAdd(manifest, packages)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining(why) as string,
    });
  });

  it('is refused where an installation changed the lockfile', () => {
    const lockfile = lockOf({ 'node_modules/ms': ENTRY });
    const after = done(MANIFEST, lockOf({ 'node_modules/ms': { ...ENTRY, version: '2.1.4' } }));
    expect(npm.judge({ manifest: MANIFEST, lockfile }, after, { kind: 'install' }).kind).toBe('refused');
    expect(npm.judge({ manifest: MANIFEST, lockfile }, done(MANIFEST, lockfile), { kind: 'install' }).kind).toBe(
      'good',
    );
  });
});

describe('a lockfile in which npm has left out address and digest', () => {
  const bare = { version: '2.1.3' };
  const lockfile = lockOf({ 'node_modules/ms': bare });
  const judge = (packages: object, request: PackageRequest = { kind: 'install' }, before = lockfile) =>
    npm.judge({ manifest: MANIFEST, lockfile: before }, done(MANIFEST, lockOf(packages)), request);

  it('is installed by names and versions', () => {
    expect(judge({ 'node_modules/ms': bare })).toMatchObject({ kind: 'good', installed: 1 });
  });

  it.each([
    ['another version', { 'node_modules/ms': { version: '2.1.4' } }],
    ['an address without a digest', { 'node_modules/ms': { ...bare, resolved: ENTRY.resolved } }],
    ['another package', { 'node_modules/ms': bare, 'node_modules/other': { version: '1.0.0' } }],
  ])('gets no %s like that', (_what, packages) => {
    expect(judge(packages, ADD)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('no integrity') as string,
    });
  });
});

describe('a workspace', () => {
  const manifest = manifestWith({ workspaces: ['packages/*'] });
  const members = {
    'packages/a': JSON.stringify({ name: '@x/a', scripts: { test: 'node --test' } }),
    'packages/b': JSON.stringify({ name: '@x/b', devDependencies: { other: '1' } }),
  };
  const [aWithMs, links] = [
    JSON.stringify({ ...(JSON.parse(members['packages/a']) as object), dependencies: { ms: '^2.1.3' } }),
    {
      'packages/a': { name: '@x/a' },
      'node_modules/@x/a': { resolved: 'packages/a', link: true },
      'node_modules/@x/b': { resolved: 'packages/b', link: true },
    },
  ];
  const addToA: PackageRequest = { ...ADD, directory: 'packages/a' };
  const judge = (packages: object, after: Readonly<Record<string, string>>, text = manifest) =>
    npm.judge({ manifest, lockfile: null, members }, { ...done(text, lockOf(packages)), members: after }, addToA);

  it('has its members linked, which are no packages of the registry', () => {
    const judged = judge({ ...links, 'node_modules/ms': ENTRY }, { ...members, 'packages/a': aWithMs });
    expect(judged).toMatchObject({ kind: 'good', installed: 1, added: [{ name: 'ms' }] });
  });

  it('may have the package below the member alone', () => {
    const judged = judge({ ...links, 'packages/a/node_modules/ms': ENTRY }, { ...members, 'packages/a': aWithMs });
    expect(judged.kind).toBe('good');
  });

  it.each<[string, object, object, string, string?]>([
    ['a link to no member', { 'node_modules/ms': { resolved: 'packages/evil', link: true } }, {}, 'ms is a directory'],
    ['a link under the name of another', { 'node_modules/ms': { resolved: 'packages/a', link: true } }, {}, 'ms is a'],
    ['another member that changed', {}, { 'packages/b': '{}' }, 'package.json of packages/b was changed too'],
    ['a manifest at the top that changed', {}, {}, 'of the project was changed too', MANIFEST],
    ['a script of the member', {}, { 'packages/a': aWithMs.replace('node --test', 'evil') }, 'beyond'],
    ['a member that is gone', {}, { 'packages/b': undefined }, 'packages/b was changed'],
  ])('%s is refused', (_what, packages, changed, why, text) => {
    const after = Object.entries({ ...members, 'packages/a': aWithMs, ...changed }).filter(([, each]) => each);
    expect(
      judge({ ...links, 'node_modules/ms': ENTRY, ...packages }, Object.fromEntries(after) as typeof members, text),
    ).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) as string });
  });

  it('has packages that a member lists', () => {
    const lockfile = lockOf({ ...links, 'node_modules/other': ENTRY, 'packages/b/node_modules/ms': ENTRY });
    expect(npm.named({ manifest, lockfile, members }).packages.map(({ name, listed }) => [name, listed])).toEqual([
      ['other', 'devDependencies'],
      ['ms', null],
    ]);
  });

  it.each<[object, readonly string[]]>([
    [{}, []],
    [{ workspaces: ['./packages/*/', '!packages/old', 7] }, ['packages/*', '!packages/old']],
    [{ workspaces: { packages: ['apps/*'] } }, ['apps/*']],
  ])('%j has members', (more, globs) => {
    expect(npm.memberGlobs?.({ manifest: manifestWith(more) })).toEqual(globs);
  });
});

describe('a project that npm is not run on', () => {
  it.each([
    ['without a lockfile to install', { manifest: MANIFEST, lockfile: null }, 'no package-lock.json'],
    ['with a manifest that is no JSON', { manifest: '{', lockfile: null }, 'no JSON object'],
    ['with a lockfile of version 1', { manifest: MANIFEST, lockfile: '{"lockfileVersion":1}' }, 'cannot be read'],
  ])('%s', (_what, texts, why) => {
    expect(npm.whyNot(texts, { kind: 'install' })).toContain(why);
  });

  it('but a first dependency needs no lockfile', () => {
    expect(npm.whyNot({ manifest: MANIFEST, lockfile: null }, ADD)).toBeNull();
  });
});
