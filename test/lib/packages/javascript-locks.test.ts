import { describe, expect, it } from 'vitest';
import { layerIdOf } from '../../../src/lib/packages/layer-id.ts';
import { readNamedProgram } from '../../../src/lib/packages/named-program.ts';
import { readPlainYaml } from '../../../src/lib/packages/plain-yaml.ts';
import { readPnpmLock } from '../../../src/lib/packages/pnpm-lock.ts';
import { readYarnLock } from '../../../src/lib/packages/yarn-lock.ts';

const YARN = '# yarn lockfile v1\n\n';
const ARCHIVE = 'https://registry.example/ms/-/ms-2.1.3.tgz';

describe('yarn.lock', () => {
  const ms = `ms@^2.0.0, "ms@^2.1.0":\n  version "2.1.3"\n  resolved "${ARCHIVE}#${'a'.repeat(40)}"\n`;

  it('names each package once, whatever ranges ask for it', () => {
    const dependencies = '  dependencies:\n    other "1"\n';
    expect(readYarnLock(`${YARN}${ms}${dependencies}`)).toMatchObject({
      kind: 'lock',
      packages: [
        { name: 'ms', version: '2.1.3', origin: { kind: 'registry' }, digest: 'sha1-qqqqqqqqqqqqqqqqqqqqqqqqqqo=' },
      ],
    });
  });

  it.each([
    ['no address', '', 'a directory, or from nowhere'],
    ['a repository', '  resolved "git+ssh://git@host.example/ms.git#1234"\n', 'git+ssh://git@host.example/ms.git#1234'],
    [
      'an archive of another name',
      '  resolved "https://registry.example/mx/-/mx-2.1.3.tgz"\n',
      'https://registry.example/mx/-/mx-2.1.3.tgz',
    ],
  ])('says of a package with %s that it is from elsewhere', (_what, resolved, words) => {
    expect(readYarnLock(`${YARN}ms@1:\n  version "2.1.3"\n${resolved}`)).toMatchObject({
      packages: [{ origin: { kind: 'elsewhere', words } }],
    });
  });

  it.each([
    ['of a later Yarn', `${YARN}__metadata:\n  version: 8\n`, /written by Yarn 2 or later/],
    ['without its first line', ms, /not a yarn\.lock of Yarn 1/],
    ['with another line', `${YARN}ms 2.1.3\n`, /a line that Yarn does not write: ms 2\.1\.3$/],
    ['with a field before any package', `${YARN}  version "1"\n`, /a line that Yarn does not write: {3}version "1"$/],
    [
      'with a field of another form',
      `${YARN}ms@1:\n  version = 1\n  v-x 1\n`,
      /a line that Yarn does not write: {3}v-x 1$/,
    ],
    ['with a package twice', `${YARN}${ms}ms@^2.1.0:\n  version "1"\n`, /^it has ms@\^2\.1\.0 twice$/],
    ['with a field twice', `${YARN}${ms}  version "2"\n`, /^it says version twice of ms@\^2\.0\.0$/],
    [
      'with a package without a version',
      `${YARN}ms@1:\n  resolved "x"\n`,
      /an entry without a name and a version: ms@1$/,
    ],
    ['with a package without a name', `${YARN}@:\n  version "1"\n`, /an entry without a name and a version: @$/],
  ])('%s cannot be read', (_what, text, why) => {
    expect(readYarnLock(text)).toEqual({ kind: 'unreadable', why: expect.stringMatching(why) as string });
  });
});

describe('pnpm-lock.yaml', () => {
  const lock = (packages: string, more = ''): string => `lockfileVersion: '9.0'\n${more}packages:\n${packages}`;

  it.each([
    ['the registry', '  ms@2.1.3:\n    resolution: {integrity: sha512-a}\n', { kind: 'registry' }],
    ['an address', `  ms@2.1.3:\n    resolution: {tarball: ${ARCHIVE}}\n`, { kind: 'address', url: ARCHIVE }],
    ['a file', '  ms@2.1.3:\n    resolution: {tarball: file:ms.tgz}\n', { kind: 'elsewhere', words: 'file:ms.tgz' }],
    [
      'a repository',
      '  ms@2.1.3:\n    resolution: {type: git, repo: https://host.example/ms}\n',
      { kind: 'elsewhere', words: 'https://host.example/ms' },
    ],
    ['a directory', '  ms@2.1.3:\n    resolution: {directory: ../ms}\n', { kind: 'elsewhere', words: '../ms' }],
    [
      'a version that is an address',
      '  ms@https://host.example/x:\n    version: 2.1.3\n',
      { kind: 'elsewhere', words: 'https://host.example/x' },
    ],
    [
      'a file without a version',
      '  file:ms:\n    name: ms\n    version: 2.1.3\n',
      { kind: 'elsewhere', words: 'file:ms' },
    ],
  ])('has a package from %s', (_what, packages, origin) => {
    expect(readPnpmLock(lock(packages))).toMatchObject({
      kind: 'lock',
      version: 9,
      packages: [{ name: 'ms', origin }],
    });
  });

  it.each([
    ['that is no YAML', 'a: [', /./],
    ['of another version', "lockfileVersion: '5.4'\n", /not a pnpm-lock\.yaml of version 6 or 9/],
    ['without a version', 'packages: {}\n', /not a pnpm-lock\.yaml of version 6 or 9/],
    ['with a package without a name', lock('  nonsense: {}\n'), /whose key has no name and version: nonsense$/],
  ])('%s cannot be read', (_what, text, why) => {
    expect(readPnpmLock(text)).toEqual({ kind: 'unreadable', why: expect.stringMatching(why) as string });
  });

  it.each([
    ['patches a package', 'patchedDependencies:\n  ms@2.1.3: {path: p}\n', /^ms@2\.1\.3 is patched by the project/],
    [
      'runs code of its own',
      "importers:\n  .:\n    configDependencies: {tool: '1'}\n",
      /^tool is code that pnpm would run/,
    ],
  ])('that %s cannot be used', (_what, more, why) => {
    expect(readPnpmLock(lock('', more))).toMatchObject({
      kind: 'lock',
      unusable: expect.stringMatching(why) as string,
    });
  });
});

it.each(['__proto__: 1\n', '- "constructor": 1\n', 'a: {x: 1, __proto__: 2}\n'])(
  'YAML with a key that every object has is refused: %j',
  (text) => {
    expect(readPlainYaml(text)).toEqual({ kind: 'unreadable', why: 'it has a key that no such file has (__proto__)' });
  },
);

it.each<readonly [string, object]>([
  ['{}', { kind: 'absent' }],
  ['no JSON', { kind: 'absent' }],
  ['{"packageManager":"pnpm@10.2.0"}', { kind: 'named', name: 'pnpm', version: '10.2.0', digest: null }],
  [
    '{"packageManager":"pnpm@10.2.0+sha256.ab"}',
    { kind: 'named', name: 'pnpm', version: '10.2.0', digest: { algorithm: 'sha256', hex: 'ab' } },
  ],
  [
    '{"packageManager":"pnpm"}',
    { kind: 'unusable', why: expect.stringContaining('is "pnpm": it has to be') as string },
  ],
  ['{"packageManager":"pnpm@https://host.example/x"}', { kind: 'unusable' }],
  ['{"packageManager":{"name":"pnpm"}}', { kind: 'unusable' }],
])('a package.json %s names its package manager, or none', (manifest, expected) => {
  expect(readNamedProgram(manifest)).toMatchObject(expected);
});

describe('the layer of installed packages', () => {
  const project = (lists: string): string => `[project]\nname = "job"\nversion = "1"\n${lists}`;
  it.each([
    ['is another one for other packages', project('dependencies = ["six"]'), project('dependencies = ["ms"]'), false],
    [
      'is the same where something else has changed',
      project('dependencies = ["six"]'),
      `${project('dependencies = ["six"]')}\n[tool.x]\ny = 1\n`,
      true,
    ],
    ['is another one for each file that cannot be read', '[', '[[', false],
  ])('%s', (_what, one, other, same) => {
    expect(layerIdOf('pyproject', one) === layerIdOf('pyproject', other)).toBe(same);
  });
});
