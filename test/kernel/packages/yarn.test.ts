import { describe, expect, it } from 'vitest';
import { yarn } from '../../../src/kernel/packages/yarn.ts';

const HEAD = '# yarn lockfile v1\n\n\n';
const MANIFEST = '{"name":"app","devDependencies":{"ms":"^2.1.3"}}';
const entry = (header: string, version: string, resolved: string, more = '  integrity sha512-x\n'): string =>
  `${header}:\n  version "${version}"\n  resolved "${resolved}"\n${more}\n`;
const MS = entry(
  'ms@^2.1.3, ms@^2.0.0',
  '2.1.3',
  'https://registry.example/ms/-/ms-2.1.3.tgz#0123456789012345678901234567890123456789',
);
const whyNot = (lockfile: string): string | null => yarn.whyNot({ manifest: MANIFEST, lockfile }, { kind: 'install' });

describe('a yarn.lock', () => {
  it('says what is installed, with the digest of the address where there is no other', () => {
    const scoped = entry(
      '"@x/a@^1.0.0"',
      '1.0.0',
      'https://registry.example/@x%2fa/-/a-1.0.0.tgz#0123456789012345678901234567890123456789',
      '  dependencies:\n    ms "^2.0.0"\n',
    );
    const alias = entry('"other@npm:third@^1.0.0"', '1.0.1', 'https://registry.example/third/-/third-1.0.1.tgz');
    const lockfile = `${HEAD}${scoped}${MS}${alias}`;
    expect(whyNot(lockfile)).toBeNull();
    expect(yarn.named({ manifest: MANIFEST, lockfile }).packages).toEqual([
      {
        name: '@x/a',
        version: '1.0.0',
        digest: expect.stringMatching(/^sha1-/) as string,
        listed: null,
        hasInstallScript: false,
      },
      { name: 'ms', version: '2.1.3', digest: 'sha512-x', listed: 'devDependencies', hasInstallScript: false },
      { name: 'third', version: '1.0.1', digest: 'sha512-x', listed: null, hasInstallScript: false },
    ]);
  });

  it.each([
    ['no text', '', 'not a yarn.lock of Yarn 1'],
    [
      'the form of Yarn 2',
      '__metadata:\n  version: 8\n',
      'Yarn 2 or later, which is not run here, and tests find packages only in node_modules',
    ],
    [
      'no digest',
      `${HEAD}${entry('ms@^2', '2.1.3', 'https://registry.example/ms/-/ms-2.1.3.tgz', '')}`,
      'no digest (integrity) of ms@2.1.3',
    ],
    ['a repository', `${HEAD}${entry('ms@git', '2.1.3', 'git+https://host/ms.git#abc')}`, 'has ms from git+https'],
    [
      'an archive by address',
      `${HEAD}${entry('ms@https://evil.example/x.tgz', '2.1.3', 'https://evil.example/x.tgz#abc')}`,
      'has ms from https://evil.example/x.tgz',
    ],
    [
      'the archive of another package',
      `${HEAD}${entry('ms@^2', '2.1.3', 'https://registry.example/evil/-/evil-2.1.3.tgz')}`,
      'has ms from',
    ],
    [
      'the archive of another version',
      `${HEAD}${entry('ms@^2', '2.1.3', 'https://registry.example/ms/-/ms-2.1.4.tgz')}`,
      'has ms from',
    ],
    ['a directory', `${HEAD}"ms@file:../ms":\n  version "2.1.3"\n`, 'has ms from a directory'],
    [
      'an archive in the project',
      `${HEAD}${entry('"ms@file:ms.tgz"', '2.1.3', 'file:ms.tgz#abc')}`,
      'has ms from file:',
    ],
    ['an entry without a version', `${HEAD}ms@^2:\n  resolved "x"\n`, 'without a name and a version'],
    ['an entry twice', `${HEAD}${MS}${MS}`, 'twice'],
    [
      'a field twice',
      `${HEAD}${entry('ms@^2', '2.1.3', 'https://registry.example/ms/-/ms-2.1.3.tgz', '  integrity a\n  integrity b\n')}`,
      'integrity twice',
    ],
    ['a line of another form', `${HEAD}${MS}\tevil: 1\n`, 'a line that Yarn does not write'],
  ])('with %s is refused before anything is fetched', (_what, lockfile, why) => {
    expect(whyNot(lockfile)).toContain(why);
  });

  it('with the names of the prototype, and of 100,000 packages, is read', () => {
    const proto = entry('__proto__@^1.0.0', '1.0.0', 'https://registry.example/__proto__/-/__proto__-1.0.0.tgz');
    const many = Array.from({ length: 100_000 }, (_, at) =>
      entry(`p${at}@1`, '1.0.0', `https://r.example/p${at}/-/p${at}-1.0.0.tgz`),
    );
    const { packages } = yarn.named({ manifest: MANIFEST, lockfile: `${HEAD}${proto}${many.join('')}` });
    expect(packages).toHaveLength(100_001);
    expect(packages[0]?.listed).toBeNull();
  });
});
