import { describe, expect, it } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { pylock, pyproject, uv } from '../../../src/kernel/packages/python-project.ts';
import { layerIdOf } from '../../../src/lib/packages/layer-id.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const MANIFEST = '[project]\nname = "app"\ndependencies = ["idna==3.4"]\n\n[tool.x]\ny = 1\n';
const ADDED = MANIFEST.replace('"idna==3.4"', '"idna==3.4", "PyYAML>=6"');
const ADD: PackageRequest = { kind: 'add', name: 'PyYAML', dev: false };
const INSTALL: PackageRequest = { kind: 'install' };
const done = (manifest: string, lockfile = manifest) => ({
  kind: 'done' as const,
  manifest,
  lockfile,
  installed: 2,
  facts: [{ name: 'pyyaml', version: '6.0.1', published_ms: null, maintainers: null, licence: null }],
  scripts_run: [],
  scripts_skipped: [],
});
const texts = (manifest: string, lockfile = manifest) => ({ manifest, lockfile });

describe('pyproject.toml', () => {
  it('gets one requirement more, and nothing else', () => {
    expect(pyproject.judge(texts(MANIFEST), done(ADDED), ADD)).toMatchObject({
      kind: 'good',
      installed: 2,
      added: [{ name: 'pyyaml', version: '6.0.1' }],
    });
  });

  it.each([
    ['another package', ADDED.replace('PyYAML', 'evil'), 'has no PyYAML'],
    ['a setting beside it', ADDED.replace('y = 1', 'y = 2'), 'beyond'],
    ['a package before it', ADDED.replace('"idna==3.4",', '"idna==3.5",'), 'beyond'],
    ['an address', ADDED.replace('PyYAML>=6', 'PyYAML @ https://evil.example/x.whl'), 'has no PyYAML'],
  ])('is refused with %s', (_what, manifest, why) => {
    expect(pyproject.judge(texts(MANIFEST), done(manifest), ADD)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining(why) as string,
    });
  });

  it('is refused where an installation changed it', () => {
    expect(pyproject.judge(texts(MANIFEST), done(ADDED), INSTALL).kind).toBe('refused');
    expect(pyproject.judge(texts(MANIFEST), done(MANIFEST), INSTALL)).toMatchObject({ kind: 'good', installed: 2 });
  });

  it('names what it lists', () => {
    expect(pyproject.named(texts(ADDED)).packages.map(({ name, version }) => [name, version])).toEqual([
      ['idna', '3.4'],
      ['pyyaml', '>=6'],
    ]);
  });

  it.each<[string, string, PackageRequest, string]>([
    ['no TOML', '[', INSTALL, 'cannot be read'],
    ['dependencies of a build', '[project]\nname = "a"\ndynamic = ["dependencies"]\n', INSTALL, 'a build says'],
    ['another tool’s own list', '[tool.poetry.dependencies]\nidna = "3"\n', INSTALL, 'lists no packages'],
    ['an address', '[project]\nname = "a"\ndependencies = ["x @ git+https://h/x"]\n', INSTALL, 'of the index'],
    ['a package that it lists', MANIFEST, { ...ADD, name: 'IDNA' } as PackageRequest, 'lists idna already'],
    ['a version of another form', MANIFEST, { ...ADD, version: '^6' } as PackageRequest, 'not a valid version for pip'],
  ])('is not used with %s', (_what, manifest, request, why) => {
    expect(pyproject.whyNot(texts(manifest), request)).toContain(why);
  });

  it('keeps what is installed while only its settings change', () => {
    const id = layerIdOf('pyproject', MANIFEST);
    expect(layerIdOf('pyproject', MANIFEST.replace('y = 1', 'y = 2'))).toBe(id);
    expect(layerIdOf('pyproject', ADDED)).not.toBe(id);
  });
});

const uvLock = (source: string, hash = HASH): string =>
  `version = 1\n[[package]]\nname = "idna"\nversion = "3.4"\nsource = { ${source} }\nwheels = [{ url = "u", hash = "${hash}" }]\n`;

describe('a lockfile of Python', () => {
  const good = uvLock('registry = "https://index.example/simple"');

  it('names its packages, and which of them the project lists', () => {
    expect(uv.named(texts(MANIFEST, good)).packages).toMatchObject([
      { name: 'idna', version: '3.4', listed: 'dependencies', digest: HASH },
    ]);
    expect(uv.whyNot(texts(MANIFEST, good), INSTALL)).toBeNull();
  });

  it.each<[string, string, PackageRequest, string]>([
    ['a package of git', uvLock('git = "https://h.example/idna"'), INSTALL, 'idna does not come from an index'],
    ['a package without a hash', uvLock('registry = "r"', 'md5:1'), INSTALL, 'has no hash of idna'],
    ['a form that is unknown', 'version = 2\n', INSTALL, 'not a uv.lock of version 1'],
    ['an addition', good, ADD, 'written only by the program that made it'],
  ])('is not used with %s', (_what, lockfile, request, why) => {
    expect(uv.whyNot(texts(MANIFEST, lockfile), request)).toContain(why);
  });

  it('is as it was after an installation', () => {
    expect(uv.judge(texts(MANIFEST, good), done(MANIFEST, good), INSTALL).kind).toBe('good');
    expect(uv.judge(texts(MANIFEST, good), done(MANIFEST, `${good}\n`), INSTALL).kind).toBe('refused');
    expect(uv.judge(texts(MANIFEST, good), done(ADDED, good), INSTALL).kind).toBe('refused');
  });

  it('has the form of its own program', () => {
    expect(pylock.whyNot(texts(MANIFEST, good), INSTALL)).toContain('not a pylock.toml');
  });
});
