import { describe, expect, test } from 'vitest';
import { newCrates, readCargoLock } from '../../../src/lib/packages/cargo-lock.ts';
import { readGoMod } from '../../../src/lib/packages/go-mod.ts';
import { newModules, readGoSum } from '../../../src/lib/packages/go-sum.ts';
import { newPackages, readNpmLock } from '../../../src/lib/packages/npm-lock.ts';
import { readRequirements, specifierOf, startOf } from '../../../src/lib/packages/requirements.ts';

const unreadable = (why: string) => ({ kind: 'unreadable', why });

describe('Cargo.lock', () => {
  const lock = (...blocks: string[]): string =>
    ['version = 4\n', ...blocks.map((block) => `[[package]]\n${block}\n`)].join('\n');
  const OWN = 'name = "app"\nversion = "0.1.0"';
  const LOG = 'name = "log"\nversion = "0.4.0"\nsource = "registry+x"\nchecksum = "abc"';

  test('names crates with source and checksum, and what is new', () => {
    const read = readCargoLock(lock(OWN, LOG));
    const log = { name: 'log', version: '0.4.0', source: 'registry+x', checksum: 'abc' };
    const own = { name: 'app', version: '0.1.0', source: null, checksum: null };
    expect(read).toEqual({ kind: 'lock', crates: [own, log] });
    expect(newCrates([], [own, log])).toEqual([log]);
    expect(newCrates([log], [own, log, { ...log, version: '0.5.0' }])).toMatchObject([{ version: '0.5.0' }]);
  });

  test.each([
    ['of version 2', 'version = 2\n', 'it is older than version 3'],
    ['without a version', '[[package]]\n', 'it is older than version 3'],
    ['with a package without a name', lock('version = "1.0.0"'), 'a package in it has no proper name or no version'],
    ['with a package without a version', lock('name = "a"'), 'a package in it has no proper name or no version'],
    [
      'with a name that is a path',
      lock('name = "../a"\nversion = "1.0.0"'),
      'a package in it has no proper name or no version',
    ],
  ])('%s is unreadable', (_what, text, why) => {
    expect(readCargoLock(text)).toEqual(unreadable(why));
  });
});

describe('go.mod', () => {
  const TEXT = `// The module.
module example.org/app // here

go 1.24
toolchain go1.24.2

require example.org/a v1.0.0
require (
\texample.org/b v1.1.0 // indirect
\t"example.org/c" v2.0.0
)
exclude example.org/a v0.9.0
replace example.org/a => ../a
replace example.org/b => example.org/other v1.1.1
`;

  test('is read line by line', () => {
    const read = readGoMod(TEXT);
    expect(read).toEqual({
      kind: 'mod',
      mod: {
        module: 'example.org/app',
        go: '1.24',
        toolchain: 'go1.24.2',
        requires: new Map([
          ['example.org/a', { version: 'v1.0.0', isIndirect: false }],
          ['example.org/b', { version: 'v1.1.0', isIndirect: true }],
          ['example.org/c', { version: 'v2.0.0', isIndirect: false }],
        ]),
        excludes: new Set(['example.org/a v0.9.0']),
        toDirectories: ['example.org/a'],
        rest: [
          '// The module.',
          'module example.org/app // here',
          'replace example.org/a => ../a',
          'replace example.org/b => example.org/other v1.1.1',
        ],
      },
    });
  });

  test.each([
    ['without a module', 'go 1.24\n', 'it names no module'],
    ['with a block inside a block', 'module a\nrequire (\nexclude (\n', 'it has the line "exclude ("'],
    ['with the end of a block that was not begun', 'module a\n)\n', 'it has the line ")"'],
    ['with a bracket in a line', 'module a\nrequire (b v1)\n', 'it has the line "require (b v1)"'],
    ['with a requirement without a version', 'module a\nrequire b\n', 'it has the line "require b"'],
    ['with a requirement of three words', 'module a\nrequire b v1 v2\n', 'it has the line "require b v1 v2"'],
  ])('%s is unreadable', (_what, text, why) => {
    expect(readGoMod(text)).toEqual(unreadable(why));
  });
});

describe('go.sum', () => {
  const H = (letter: string): string => `h1:${letter.repeat(43)}=`;

  test('names modules by the digests of their files; those of go.mod files are only lines', () => {
    const lines = [`a v1.0.0 ${H('x')}`, `a v1.0.0/go.mod ${H('y')}`, `a v1.0.0 ${H('x')}`];
    const modules = [{ path: 'a', version: 'v1.0.0', digest: H('x') }];
    expect(readGoSum(`${lines.join('\n')}\n\n`)).toEqual({ kind: 'sums', modules, lines });
    expect(newModules(modules, [...modules, { path: 'b', version: 'v1.0.0', digest: '' }])).toMatchObject([
      { path: 'b' },
    ]);
  });

  test.each([
    ['a hash of another kind', `a v1.0.0 h2:${'x'.repeat(43)}=`, `it has the line "a v1.0.0 h2:${'x'.repeat(43)}="`],
    ['no hash', 'a v1.0.0', 'it has the line "a v1.0.0"'],
    ['two digests of one module', `a v1.0.0 ${H('x')}\na v1.0.0 ${H('y')}`, 'it has two digests of a@v1.0.0'],
    [
      'two digests of one go.mod',
      `a v1.0.0/go.mod ${H('x')}\na v1.0.0/go.mod ${H('y')}`,
      'it has two digests of a@v1.0.0/go.mod',
    ],
  ])('with %s is unreadable', (_what, text, why) => {
    expect(readGoSum(text)).toEqual(unreadable(why));
  });
});

describe('package-lock.json', () => {
  const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });

  test('names packages by where they are installed; the project and its workspaces are none', () => {
    const read = readNpmLock(
      lock({
        '': { name: 'app' },
        'packages/own': { version: '1.0.0' },
        'node_modules/own': { link: true, resolved: 'packages/own' },
        'node_modules/@a/b': { version: '1.2.3', integrity: 'sha512-x', license: 'MIT', dev: true },
        'node_modules/@a/b/node_modules/c': { version: '2.0.0', license: { type: 'MIT' }, inBundle: true },
      }),
    );
    if (read.kind !== 'lock') throw new Error(read.why);
    expect(read.packages).toMatchObject([
      { name: 'own', version: '', isLink: true, isDev: false },
      { name: '@a/b', version: '1.2.3', integrity: 'sha512-x', licence: 'MIT', isDev: true, isLink: false },
      { name: 'c', version: '2.0.0', licence: null, isBundled: true, integrity: null },
    ]);
    const [, b, c] = read.packages;
    if (b === undefined || c === undefined) throw new Error('too few');
    expect(newPackages([b], [...read.packages, c])).toEqual([c]);
  });

  test.each([
    ['{', 'it is not JSON'],
    ['{}', 'it is not a package-lock.json of version 2 or 3'],
    ['{"lockfileVersion":1,"dependencies":{}}', 'it is not a package-lock.json of version 2 or 3'],
  ])('%s is unreadable', (text, why) => {
    expect(readNpmLock(text)).toEqual(unreadable(why));
  });
});

describe('requirements.txt', () => {
  const HASH = `--hash=sha256:${'a'.repeat(64)}`;

  test('names packages of the index', () => {
    expect(readRequirements(`# pinned\nMy_Pkg[x]==1.0 ; python_version > "3" \\\n  ${HASH} # why\n`)).toEqual({
      kind: 'requirements',
      requirements: [
        {
          name: 'my-pkg',
          line: 'My_Pkg[x]==1.0 ; python_version > "3"',
          version: '1.0',
          hashes: [HASH.slice('--hash='.length)],
        },
      ],
    });
  });

  test.each([
    '--index-url https://evil.example/simple',
    '-r other.txt',
    'git+https://example.org/a.git',
    'a @ https://example.org/a.whl',
    './a',
    'a => 1',
    'a==1 --hash=md5:abc',
  ])('with %j is unreadable: it leads past the index of the user', (line) => {
    expect(readRequirements(`${line}\n`)).toEqual(unreadable(`it has the line ${JSON.stringify(line)}`));
  });

  test('with hashes for some packages only is unreadable', () => {
    expect(readRequirements(`a==1 ${HASH}\nb==1\n`)).toEqual(
      unreadable('some of its packages have hashes, and others have none'),
    );
  });

  test.each([
    [undefined, ''],
    ['1.2', '==1.2'],
    ['1.2 ; x', null],
    ['>=1,<2', '>=1,<2'],
    ['latest', null],
  ])('the version %j is the specifier %j', (version, specifier) => {
    expect(specifierOf(version)).toBe(specifier);
  });

  test.each([
    ['', ''],
    ['a\n', 'a\n'],
    ['a', 'a\n'],
  ])('a line is added to %j after %j', (text, start) => {
    expect(startOf(text)).toBe(start);
  });
});
