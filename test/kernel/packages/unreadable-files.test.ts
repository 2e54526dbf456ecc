import { describe, expect, it } from 'vitest';
import type { PackageManagerName, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { chooseManager } from '../../../src/kernel/packages/choose-manager.ts';
import { go } from '../../../src/kernel/packages/go.ts';
import { unlikeBefore } from '../../../src/kernel/packages/manager.ts';
import type { NamedPackage, PackageTexts } from '../../../src/kernel/packages/manager.ts';
import { MANAGERS } from '../../../src/kernel/packages/registry.ts';

const INSTALL: PackageRequest = { kind: 'install' };
const add = (name: string): PackageRequest => ({ kind: 'add', name, dev: false });
const GO = 'module job.example/job\n\ngo 1.21\n';
const PYPROJECT = '[project]\nname = "job"\nversion = "1"\ndependencies = ["six==1.0"]\n';

describe('a package manager is not run', () => {
  it.each<readonly [PackageManagerName, string, PackageTexts, PackageRequest, RegExp]>([
    [
      'cargo',
      'an unreadable lockfile',
      { manifest: '[package]\nname = "job"\n', lockfile: '[' },
      INSTALL,
      /^Cargo\.lock cannot be read: /,
    ],
    ['pnpm', 'an unreadable manifest', { manifest: '[]', lockfile: '' }, INSTALL, /^package\.json is no JSON object/],
    ['yarn', 'an unreadable manifest', { manifest: 'x', lockfile: '' }, INSTALL, /^package\.json is no JSON object/],
    [
      'pnpm',
      'an unreadable lockfile',
      { manifest: '{}', lockfile: 'a: [' },
      INSTALL,
      /^pnpm-lock\.yaml cannot be read: /,
    ],
    [
      'pnpm',
      'a name that is none',
      { manifest: '{}', lockfile: "lockfileVersion: '9.0'\n" },
      add('a/b'),
      /^a\/b is not a valid npm package name\.$/,
    ],
    [
      'pyproject',
      'an unreadable manifest',
      { manifest: '[', lockfile: '[' },
      INSTALL,
      /^pyproject\.toml cannot be read: /,
    ],
    [
      'pyproject',
      'a name that is none',
      { manifest: PYPROJECT, lockfile: PYPROJECT },
      add('a/b'),
      /^a\/b is not a valid pip package name\.$/,
    ],
    ['uv', 'an unreadable manifest', { manifest: '[', lockfile: '' }, INSTALL, /^pyproject\.toml cannot be read: /],
    ['uv', 'an unreadable lockfile', { manifest: PYPROJECT, lockfile: '[' }, INSTALL, /^uv\.lock cannot be read: /],
  ])('%s with %s', (name, _what, texts, request, why) => {
    expect(MANAGERS[name].whyNot(texts, request)).toMatch(why);
  });

  it('go with a go.sum that names a module, and with none', () => {
    const sum = `a.example/b v1.0.0 h1:${'a'.repeat(43)}=\n`;
    expect(go.whyNot({ manifest: GO, lockfile: sum }, INSTALL)).toBeNull();
    expect(go.whyNot({ manifest: GO, lockfile: '' }, INSTALL)).toMatch(/there is nothing to install/);
  });
});

describe('what came back is refused', () => {
  const done = (manifest: string, lockfile: string) =>
    ({ kind: 'done', manifest, lockfile, facts: [], scripts_run: [], scripts_skipped: [], installed: 0 }) as never;

  it.each<readonly [PackageManagerName, string, PackageTexts, string, string, PackageRequest, RegExp]>([
    [
      'cargo',
      'an unreadable lockfile',
      { manifest: '', lockfile: null },
      '',
      '[',
      INSTALL,
      /^Cargo\.lock cannot be read/,
    ],
    ['go', 'an unreadable lockfile', { manifest: GO, lockfile: null }, GO, 'sum\n', INSTALL, /^go\.sum cannot be read/],
    [
      'go',
      'an unreadable manifest',
      { manifest: GO, lockfile: null },
      'go 1.21\n',
      '',
      add('a.example/b'),
      /^go\.mod cannot be read$/,
    ],
    [
      'npm',
      'an unreadable lockfile',
      { manifest: '{}', lockfile: null },
      '{}',
      '[',
      INSTALL,
      /^package-lock\.json cannot be read/,
    ],
    [
      'pnpm',
      'an unreadable lockfile',
      { manifest: '{}', lockfile: null },
      '{}',
      'a: [',
      INSTALL,
      /^pnpm-lock\.yaml cannot be read/,
    ],
    [
      'pyproject',
      'two versions of its one file',
      { manifest: PYPROJECT, lockfile: PYPROJECT },
      PYPROJECT,
      `${PYPROJECT}\n`,
      INSTALL,
      /^there are two versions of pyproject\.toml$/,
    ],
    [
      'npm',
      'a manifest that is no object any more',
      { manifest: '{}', lockfile: null },
      '[]',
      '{"lockfileVersion":3,"packages":{"":{}}}',
      add('ms'),
      /beyond the dependency ms/,
    ],
  ])('of %s: %s', (name, _what, before, manifest, lockfile, request, why) => {
    expect(MANAGERS[name].judge(before, done(manifest, lockfile), request)).toEqual({
      kind: 'refused',
      why: expect.stringMatching(why) as string,
    });
  });
});

it('nothing is known of how an unreadable go.mod has changed', () => {
  expect([go.onlyListsChanged?.(GO, 'x'), go.onlyListsChanged?.('x', GO), go.onlyListsChanged?.(GO, GO)]).toEqual([
    false,
    false,
    true,
  ]);
  expect([go.changedBeside?.(GO, 'x'), go.changedBeside?.('x', GO)]).toEqual([[], []]);
});

describe('a package is unlike before', () => {
  const one = (change: Partial<NamedPackage> = {}): NamedPackage => ({
    name: 'ms',
    version: '1.0.0',
    hasInstallScript: false,
    listed: 'dependencies',
    digest: 'a',
    ...change,
  });

  it.each<readonly [string, readonly NamedPackage[], object[]]>([
    ['not where it is the same', [one()], []],
    ['once where it is named twice', [one({ version: '2.0.0' }), one({ version: '2.0.0' })], [{ kind: 'new' }]],
    ['in a new version', [one({ version: '2.0.0' })], [{ kind: 'new' }]],
    ['with other content', [one({ digest: 'b' })], [{ kind: 'another-archive' }]],
    ['in another list', [one({ listed: 'devDependencies' })], [{ kind: 'listed-elsewhere', before: 'dependencies' }]],
    ['not where nothing lists it any more', [one({ listed: null })], []],
  ])('%s', (_what, now, expected) => {
    expect(unlikeBefore([one()], now).map(({ unlike }) => unlike)).toEqual(expected);
  });
});

describe('of several lockfiles', () => {
  const both = ['package-lock.json', 'pnpm-lock.yaml'];
  it.each<readonly [string, string, readonly string[], readonly string[], object]>([
    [
      'the one counts that packageManager names',
      '{"packageManager":"pnpm@9.0.0"}',
      both,
      ['run: npm ci'],
      { kind: 'chosen', name: 'pnpm', why: 'packageManager in package.json names pnpm' },
    ],
    ['one that is named and not there does not count', '{"packageManager":"yarn@1.22.0"}', both, [], { kind: 'open' }],
    [
      'the one counts that CI alone installs with',
      '{}',
      both,
      ['run: npm ci', 'npm i -g pnpm'],
      { kind: 'chosen', name: 'npm', why: "the project's CI installs with npm" },
    ],
    ['none counts where CI installs with two', '{}', both, ['npm ci\npnpm install'], { kind: 'open' }],
    ['none counts where nothing is said', '{}', both, [], { kind: 'open' }],
  ])('%s', (_what, manifest, lockfiles, ci, expected) => {
    expect(chooseManager(manifest, lockfiles, ci)).toEqual(expected);
  });
});
