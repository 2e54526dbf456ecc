import { describe, expect, it } from 'vitest';
import { cargo } from '../../../src/kernel/packages/cargo.ts';

const HEAD = '[package]\nname = "job"\nversion = "0.1.0"\n';
const LOCKED = lock(['basework', '0.5.0']);
const add = (name: string, version?: string) =>
  ({ kind: 'add', name, dev: false, ...(version === undefined ? {} : { version }) }) as const;
const INSTALL = { kind: 'install' } as const;

function lock(
  ...crates: readonly (readonly [name: string, version: string, source?: string, checksum?: string])[]
): string {
  const blocks = crates.map(
    ([name, version, source = 'registry+https://github.com/rust-lang/crates.io-index', checksum = 'a'.repeat(64)]) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "${source}"\n${checksum === '' ? '' : `checksum = "${checksum}"\n`}`,
  );
  return ['version = 4\n', '[[package]]\nname = "job"\nversion = "0.1.0"\n', ...blocks].join('\n');
}

describe('cargo is not run', () => {
  it.each([
    ['a workspace', `${HEAD}[workspace]\nmembers = ["a"]\n`, /workspace/],
    ['a path', `${HEAD}[dependencies]\na = { path = "../a" }\n`, /directory/],
    ['a path in a table', `${HEAD}[dependencies.a]\nversion = "1"\npath = "../a"\n`, /directory/],
    ['git', `${HEAD}[dependencies]\na = { version = "1", git = "https://localhost/a" }\n`, /git/],
    ['a path below a name', `${HEAD}[dependencies]\na.path = "../a"\n`, /directory/],
    ['a path in quotes', `${HEAD}[dependencies]\na = { "p\\u0061th" = "../a" }\n`, /directory/],
    ['git below a name', `${HEAD}[dev-dependencies]\na.git = "https://localhost/a"\n`, /git/],
    ['git of a target', `${HEAD}[target.'cfg(unix)'.dependencies.a]\ngit = "https://localhost/a"\n`, /git/],
    ['a path without a table', `dependencies.a.path = "../a"\n${HEAD}`, /directory/],
    ['a patch without a table', `patch.crates-io.a.path = "../a"\n${HEAD}`, /patch/],
    ['a patch in blanks', `${HEAD}[ patch . "crates-io" ]\na = { version = "1" }\n`, /patch/],
    ['a replacement', `${HEAD}[replace]\n"a:1.0.0" = { version = "1" }\n`, /patch/],
    ['a patch', `${HEAD}[patch.crates-io]\na = { version = "1" }\n`, /patch/],
    ['a registry', `${HEAD}[dependencies]\na = { version = "1", registry = "theirs" }\n`, /registry of its own/],
  ])('on a manifest with %s', (_what, manifest, why) => {
    expect(cargo.whyNot({ manifest, lockfile: LOCKED }, INSTALL)).toMatch(why);
  });

  it('without a lockfile to install, with an old one, with a foreign name or version', () => {
    const whyNot = (lockfile: string | null, request: Parameters<typeof cargo.whyNot>[1]) =>
      cargo.whyNot({ manifest: HEAD, lockfile }, request);
    expect(whyNot(null, INSTALL)).toMatch(/no Cargo\.lock/);
    expect(whyNot('[[package]]\nname = "a"\n', INSTALL)).toMatch(/older than version 3/);
    expect(whyNot(null, add('@scope/a'))).toMatch(/not a valid crate name/);
    expect(whyNot(null, add('a', 'latest'))).toMatch(/not a valid version for cargo/);
    expect(whyNot(null, add('a', '>=1, <2'))).toBeNull();
    expect(whyNot(null, { ...add('a'), features: ['b', 'c/d'] })).toBeNull();
    expect(whyNot(null, { ...add('a'), features: ['--git'] })).toMatch(/not a valid feature name/);
    const workspace = { manifest: `${HEAD}[workspace]\nmembers = ["a"]\n`, lockfile: null };
    expect(cargo.whyNot(workspace, add('a'))).toMatch(/run cargo add a, then cargo fetch/);
  });

  it('is run where a bench or a library has a path of its own', () => {
    const manifest = `${HEAD}[lib]\npath = "lib.rs"\n\n[[bench]]\nname = "a"\npath = "b.rs"\n`;
    expect(cargo.whyNot({ manifest, lockfile: LOCKED }, INSTALL)).toBeNull();
  });
});

it('names the crates that a lockfile has, where each is listed, and its digest', () => {
  const manifest = `${HEAD}[dev-dependencies]\nbasework = "0.5"\n`;
  const lockfile = lock(['basework', '0.5.0'], ['other', '1.0.0']);
  const digest = 'a'.repeat(64);
  expect(cargo.named({ manifest, lockfile })).toEqual({
    packages: [
      { name: 'basework', version: '0.5.0', hasInstallScript: false, listed: 'dev-dependencies', digest },
      { name: 'other', version: '1.0.0', hasInstallScript: false, listed: null, digest },
    ],
    isComplete: true,
  });
  expect(cargo.named({ manifest, lockfile: null })).toEqual({ packages: [], isComplete: false });
});

describe('two manifests', () => {
  it.each([
    ['a dependency more', `${HEAD}[dependencies]\na = "1"\n`, true],
    ['a dependency of tests more', `${HEAD}\n[dev-dependencies]\na = { version = "1", features = ["b"] }\n`, true],
    ['another name of the package', HEAD.replace('"job"', '"other"'), false],
    ['a feature', `${HEAD}[features]\na = "1"\n`, false],
    ['a dependency of git', `${HEAD}[dependencies]\na = { git = "https://localhost/a" }\n`, false],
    ['a library without tests', `${HEAD}[lib]\ntest = false\n`, false],
  ])('that differ by %s', (_what, after, expected) => {
    expect(cargo.onlyListsChanged?.(HEAD, after)).toBe(expected);
  });
});

describe('what cargo left is refused', () => {
  const done = (manifest: string, lockfile: string): Parameters<typeof cargo.judge>[1] => ({
    kind: 'done',
    manifest,
    lockfile,
    facts: [],
    scripts_run: [],
    scripts_skipped: [],
  });
  const before = { manifest: HEAD, lockfile: LOCKED };
  const more = (...crate: readonly [string, string, string?, string?]) => lock(['basework', '0.5.0'], crate);
  const PLAIN = `${HEAD}\n[dependencies]\nplainwork = "1.2"\n`;

  it.each([
    ['a changed manifest', `${PLAIN}[profile.release]\nlto = true\n`, more('plainwork', '1.2.0'), /beyond/],
    ['another dependency', `${PLAIN}evil = "1"\n`, more('plainwork', '1.2.0'), /beyond/],
    [
      'the dependency from a directory',
      PLAIN.replace('"1.2"', '{ version = "1.2", path = "/x" }'),
      more('plainwork', '1.2.0'),
      /beyond/,
    ],
    ['no such crate', PLAIN, LOCKED, /has no plainwork/],
    ['a crate of git', PLAIN, more('plainwork', '1.2.0', 'git+https://localhost/x#1'), /not come from the registry/],
    ['no checksum', PLAIN, more('plainwork', '1.2.0', undefined, ''), /no checksum/],
  ])('with %s', (_what, manifest, lockfile, why) => {
    const judged = cargo.judge(before, done(manifest, lockfile), add('plainwork'));
    expect(judged.kind === 'refused' ? judged.why : '').toMatch(why);
  });

  it('where it was to install, and changed the lockfile', () => {
    expect(cargo.judge(before, done(HEAD, more('plainwork', '1.2.0')), INSTALL).kind).toBe('refused');
    expect(cargo.judge(before, done(HEAD, LOCKED), INSTALL)).toMatchObject({ kind: 'good', installed: 1, added: [] });
  });
});
