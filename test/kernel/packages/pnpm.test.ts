import { describe, expect, it } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { pnpm } from '../../../src/kernel/packages/pnpm.ts';

const INTEGRITY = 'sha512-x';
const INSTALL: PackageRequest = { kind: 'install' };
const ADD: PackageRequest = { kind: 'add', name: 'ms', dev: false };
const MANIFEST = JSON.stringify({ name: 'app', scripts: { test: 'node --test' } });
const manifestWith = (more: object): string => JSON.stringify({ ...(JSON.parse(MANIFEST) as object), ...more });
const entry = (key: string, resolution = `{integrity: ${INTEGRITY}}`): string =>
  `  ${key}:\n    resolution: ${resolution}\n`;
const lockOf = (packages: string, more = ''): string => `lockfileVersion: '9.0'\n${more}\npackages:\n\n${packages}`;
const done = (manifest: string, lockfile: string) => ({
  kind: 'done' as const,
  manifest,
  lockfile,
  facts: [],
  scripts_run: [],
  scripts_skipped: [],
});
const whyNot = (lockfile: string, members = {}, request: PackageRequest = INSTALL): string | null =>
  pnpm.whyNot({ manifest: MANIFEST, lockfile, members }, request);

describe('a pnpm-lock.yaml', () => {
  it.each([
    ['of version 9', lockOf(entry("'@x/ms@2.1.3'") + entry('other@1.0.0-rc.1'))],
    [
      'of version 6',
      `lockfileVersion: '6.0'\npackages:\n${entry('/@x/ms@2.1.3(react@18.0.0)')}${entry('/other@1.0.0-rc.1')}`,
    ],
    [
      'with the address of an archive',
      lockOf(
        entry("'@x/ms@2.1.3'", `{integrity: ${INTEGRITY}, tarball: 'https://registry.example/ms.tgz'}`) +
          entry('other@1.0.0-rc.1'),
      ),
    ],
  ])('%s says what is installed', (_what, lockfile) => {
    expect(whyNot(lockfile)).toBeNull();
    const { packages } = pnpm.named({ manifest: manifestWith({ devDependencies: { other: '1' } }), lockfile });
    expect(packages).toEqual([
      { name: '@x/ms', version: '2.1.3', digest: INTEGRITY, listed: null, hasInstallScript: false },
      { name: 'other', version: '1.0.0-rc.1', digest: INTEGRITY, listed: 'devDependencies', hasInstallScript: false },
    ]);
  });

  it.each([
    ['no text', '', 'version 6 or 9'],
    ['no YAML', 'a: [', 'cannot be read'],
    ['an older form', 'lockfileVersion: 5.4\npackages: {}\n', 'version 6 or 9'],
    ['a package without a digest', lockOf(entry('ms@2.1.3', '{}')), 'no digest (integrity) of ms@2.1.3'],
    [
      'an archive by address alone',
      lockOf(entry('ms@https://evil.example/ms.tgz', '{tarball: https://evil.example/ms.tgz}')),
      'has ms from https://evil.example/ms.tgz',
    ],
    [
      'an archive by address with a digest',
      lockOf(
        entry('ms@https://evil.example/ms.tgz', `{integrity: ${INTEGRITY}, tarball: https://evil.example/ms.tgz}`),
      ),
      'has ms from',
    ],
    [
      'a repository',
      lockOf(entry('ms@2.1.3', `{integrity: ${INTEGRITY}, type: git, repo: https://host/ms.git, commit: abc}`)),
      'has ms from https://host/ms.git',
    ],
    [
      'a repository by its key',
      lockOf(entry('ms@git+https://host/ms.git#abc', '{commit: abc, repo: https://host/ms.git, type: git}')),
      'has ms from',
    ],
    [
      'a directory',
      lockOf(entry('ms@file:../../etc', '{directory: ../../etc, type: directory}')),
      'has ms from ../../etc',
    ],
    [
      'a directory with the key of a version',
      lockOf(entry('ms@2.1.3', `{integrity: ${INTEGRITY}, directory: ../ms}`)),
      'has ms from',
    ],
    [
      'an archive in the project',
      lockOf(entry('ms@2.1.3', `{integrity: ${INTEGRITY}, tarball: file:ms.tgz}`)),
      'has ms from file:ms.tgz',
    ],
    [
      'a directory of version 6',
      `lockfileVersion: '6.0'\npackages:\n  file:../ms:\n    resolution: {directory: ../ms, type: directory}\n    name: ms\n`,
      'has ms from',
    ],
    ['a key without a version', lockOf(entry('ms')), 'no name and version'],
    ['the prototype', lockOf(entry('__proto__')), '__proto__'],
    ['the prototype in a flow map', lockOf(entry('ms@2.1.3', '{__proto__: {integrity: x}}')), '__proto__'],
    ['a key twice', lockOf(entry('ms@2.1.3') + entry('ms@2.1.3', '{integrity: sha512-y}')), 'duplicated'],
    ['an alias', lockOf(`  ms@2.1.3: &a\n    resolution: {integrity: ${INTEGRITY}}\n  other@1.0.0: *a\n`), 'alias'],
    ['a merged key', lockOf(`  ms@2.1.3:\n    resolution: {integrity: ${INTEGRITY}}\n    <<: {a: 1}\n`), null],
    ['deep nesting', lockOf(`  ms@2.1.3: ${'['.repeat(2000)}${']'.repeat(2000)}\n`), 'cannot be read'],
    [
      'patches',
      lockOf(entry('ms@2.1.3'), 'patchedDependencies:\n  ms@2.1.3:\n    hash: x\n    path: patches/ms.patch\n'),
      'is patched by the project',
    ],
    [
      'code that pnpm would run',
      `lockfileVersion: '9.0'\nimporters:\n  .:\n    configDependencies:\n      evil:\n        specifier: 1.0.0\n        version: 1.0.0\n---\n${lockOf(entry('ms@2.1.3'))}`,
      'evil is code that pnpm would run',
    ],
  ])('with %s is refused before anything is fetched', (_what, lockfile, why) => {
    if (why === null) expect(whyNot(lockfile)).toBeNull();
    else expect(whyNot(lockfile)).toContain(why);
  });

  it('that expands without end is refused, and one of 100,000 packages is read', () => {
    const levels = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
    expect(whyNot(`a0: &a0 [x, x]\n${levels.join('\n')}\n${lockOf('')}`)).toContain('alias');
    const many = Array.from({ length: 100_000 }, (_, at) => entry(`p${at}@1.0.0`)).join('');
    expect(pnpm.named({ manifest: MANIFEST, lockfile: lockOf(many) }).packages).toHaveLength(100_000);
  });
});

describe('a directory in place of a package', () => {
  const members = { 'packages/a': '{"name":"@x/a"}', 'packages/b': '{"name":"@x/b"}' };
  const linked = (from: string, name: string, target: string): string =>
    `lockfileVersion: '9.0'\nimporters:\n  ${from}:\n    dependencies:\n      '${name}':\n        specifier: workspace:*\n        version: link:${target}\n`;

  it.each([
    ['the member of that name', linked('packages/a', '@x/b', '../b'), null],
    ['a member by another name', linked('packages/a', 'react', '../b'), 'not a workspace member with that name'],
    ['the project itself', linked('packages/a', 'app', '../..'), null],
    ['the project itself by another name', linked('packages/a', 'react', '../..'), 'not a workspace member'],
    ['a directory of the project', linked('.', 'ms', 'src'), 'not a workspace member'],
    ['a directory outside', linked('packages/a', '@x/b', '../../../b'), '"../b"'],
    ['an absolute path', linked('packages/a', '@x/b', '/etc'), 'not a workspace member'],
    ['the prototype', linked('.', 'ms', 'constructor'), 'not a workspace member'],
  ])('is %s', (_what, lockfile, why) => {
    const said = whyNot(lockfile, members);
    if (why === null) expect(said).toBeNull();
    else expect(said).toContain(why);
  });

  it.each([
    [undefined, []],
    ['packages:\n  - ./packages/*/\n  - "!packages/old"\n  - 7\n', ['packages/*', '!packages/old']],
    ['packages: text\n', []],
    ['a: [', []],
  ])('of a pnpm-workspace.yaml %j has the members %j', (text, globs) => {
    const settings: Record<string, string> = text === undefined ? {} : { 'pnpm-workspace.yaml': text };
    expect(pnpm.memberGlobs?.({ manifest: manifestWith({ workspaces: ['other/*'] }), settings })).toEqual(globs);
  });
});

describe('what pnpm has changed', () => {
  const before = { manifest: MANIFEST, lockfile: lockOf('') };
  const added = manifestWith({ dependencies: { ms: '^2.1.3' } });

  it('is good where it is the requested dependency and nothing else', () => {
    const after = { ...done(added, lockOf(entry('ms@2.1.3') + entry('other@1.0.0'))), scripts_skipped: ['other'] };
    expect(pnpm.judge(before, after, ADD)).toMatchObject({
      kind: 'good',
      installed: 2,
      withScripts: ['other'],
      added: [
        { name: 'ms', hasInstallScript: false },
        { name: 'other', hasInstallScript: true },
      ],
    });
  });

  it.each([
    [
      'a script',
      manifestWith({ dependencies: { ms: '1' }, scripts: { test: 'evil' } }),
      lockOf(entry('ms@2.1.3')),
      'beyond',
    ],
    ['another dependency', manifestWith({ dependencies: { ms: '1', evil: '1' } }), lockOf(entry('ms@2.1.3')), 'beyond'],
    [
      'another program',
      manifestWith({ dependencies: { ms: '1' }, packageManager: 'pnpm@1.0.0' }),
      lockOf(entry('ms@2.1.3')),
      'beyond',
    ],
    ['a lockfile without the package', added, lockOf(entry('other@1.0.0')), 'has no ms'],
    ['a package without a digest', added, lockOf(entry('ms@2.1.3', '{}')), 'no digest'],
    ['a package of git', added, lockOf(entry('ms@2.1.3', '{type: git, repo: x, integrity: y}')), 'has ms from x'],
  ])('is refused with %s', (_what, manifest, lockfile, why) => {
    const judged = pnpm.judge(before, done(manifest, lockfile), ADD);
    expect(judged).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) as string });
  });

  it('is refused where an installation changed the lockfile', () => {
    const lockfile = lockOf(entry('ms@2.1.3'));
    const texts = { manifest: MANIFEST, lockfile };
    expect(pnpm.judge(texts, done(MANIFEST, lockOf(entry('ms@2.1.4'))), INSTALL).kind).toBe('refused');
    expect(pnpm.judge(texts, done(MANIFEST, lockfile), INSTALL).kind).toBe('good');
  });

  it('is not asked for where a hook of the project would change it', () => {
    const lockfile = lockOf(entry('ms@2.1.3'), 'pnpmfileChecksum: abc\n');
    expect(whyNot(lockfile)).toBeNull();
    expect(whyNot(lockfile, {}, ADD)).toContain('.pnpmfile.cjs');
  });
});
