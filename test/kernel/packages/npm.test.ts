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

describe('a project that npm is not run on', () => {
  it.each([
    ['without a lockfile to install', { manifest: MANIFEST, lockfile: null }, 'no package-lock.json'],
    ['with workspaces', { manifest: manifestWith({ workspaces: ['packages/*'] }), lockfile: null }, 'workspaces'],
    ['with a manifest that is no JSON', { manifest: '{', lockfile: null }, 'no JSON object'],
    ['with a lockfile of version 1', { manifest: MANIFEST, lockfile: '{"lockfileVersion":1}' }, 'cannot be read'],
  ])('%s', (_what, texts, why) => {
    expect(npm.whyNot(texts, { kind: 'install' })).toContain(why);
  });

  it('but a first dependency needs no lockfile', () => {
    expect(npm.whyNot({ manifest: MANIFEST, lockfile: null }, ADD)).toBeNull();
  });
});
