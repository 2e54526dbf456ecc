import { describe, expect, test } from 'vitest';
import { type InspectedImage, judgeImage } from '../../../../src/host/images/project/judge-image.ts';
import { imageReferenceSchema } from '../../../../src/host/images/project/project-image.ts';
import { judgeProbe } from '../../../../src/host/images/project/probe-image.ts';

const place = { architecture: 'x64', projectRoot: '/home/ada/library' } as const;

function judge(config: InspectedImage['Config'], more: Partial<InspectedImage> = {}) {
  return judgeImage({ Id: 'sha256:1', Os: 'linux', Architecture: 'amd64', Config: config, ...more }, place);
}

describe('what an image says of itself', () => {
  test('is looked at before it is started', () => {
    expect(judge(null)).toEqual({
      kind: 'usable',
      facts: {
        variables: [],
        volumes: [],
        path: ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'],
        env: {},
      },
    });
  });

  test.each([
    ['another architecture', {}, { Architecture: 'arm64' }, 'it is for linux/arm64, and this machine is linux/amd64'],
    ['another system', {}, { Os: 'windows' }, 'it is for windows/amd64'],
    ['a variable that is a pattern', { Env: Array.of('AWS_*=1') }, {}, 'it has a variable named "AWS_*"'],
    [
      'variables of a megabyte',
      { Env: Array.of(`A=${'a'.repeat(1024 * 1024)}`) },
      {},
      'its variables have 1048578 bytes',
    ],
    ['a label of ours', { Labels: { 'fluffy.role': 'kernel' } }, {}, 'it has the label fluffy.role'],
    [
      '33 volumes',
      { Volumes: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`/v${at}`, {}])) },
      {},
      '33 volumes',
    ],
    ...[
      '/',
      'relative',
      '/home/ada/library/test',
      '/home/ada/library/../library/test',
      '/opt/fluffy/tools',
      '/var/local/x',
      '/run/fluffy/x',
      '/run/fluffy-guard/x',
      '/tmp/x',
      '/proc/self',
      '/a\nb',
    ].map(
      (path) =>
        [`a volume at ${JSON.stringify(path)}`, { Volumes: { [path]: {} } }, {}, 'it declares a volume at'] as const,
    ),
  ] as const)('%s cannot be used', (_, config, more, why) => {
    expect(judge(config, more)).toMatchObject({ kind: 'unusable', why: expect.stringContaining(why) as string });
  });

  test('volumes are kept by their path, without those where a sandbox has something', () => {
    const Volumes = { '/data/': {}, '/var': {}, '/tmp': {}, '/var/local': {}, '/home/ada/library': {} };
    expect(judge({ Volumes })).toMatchObject({ facts: { volumes: ['/data', '/var'] } });
  });

  test('all its variables are known by name, and those reach a test that are its own alone', () => {
    const Env = [
      'PATH=/opt/x/bin:bin:/usr/bin:/opt/x/bin',
      'JAVA_HOME=/opt/java=1',
      'HOME=/root',
      'LD_PRELOAD=/x.so',
      'NODE_OPTIONS=--require=/x.js',
      'PYTHONPATH=/x',
      'GIT_DIR=/x',
      'BASH_ENV=/x',
      'OPENSSL_CONF=/x',
      'PYTEST_ADDOPTS=--collect-only',
      'PHP_INI_SCAN_DIR=/x',
      'npm_config_node_options=--require=/x.js',
      'CARGO_BUILD_RUSTC_WRAPPER=/x',
      'CLASSPATH=/x',
      'https_proxy=http://x',
      'odd name=1',
      'EMPTY',
    ];
    const judged = judge({ Env });
    expect(judged).toMatchObject({
      facts: { path: ['/opt/x/bin', '/usr/bin'], env: { JAVA_HOME: '/opt/java=1', EMPTY: '' } },
    });
    const variables = judged.kind === 'usable' ? judged.facts.variables : [];
    expect(variables).toEqual(Env.map((line) => line.replace(/=.*/, '')));
  });
});

describe('what was found in an image', () => {
  const answer = { uid: 1000, gid: 1000, missing: [], programs: {}, direct: true, goRoot: null };
  const git = { path: '/usr/bin/git', version: 'git version 2' };
  const node = (version: string) => ({ path: '/usr/bin/node', version });
  const as = { uid: 1000, gid: 1000 };

  test.each([
    ['runs as another user', { ...answer, uid: 0 }, 'a program in it runs as 0:1000'],
    ['runs in another group', { ...answer, gid: 0 }, 'a program in it runs as 1000:0'],
    ['has no shell', { ...answer, missing: ['/bin/sh'] }, '/bin/sh'],
  ])('one that %s cannot be used', (_, found, why) => {
    expect(judgeProbe(found, as)).toMatchObject({ kind: 'unusable', why: expect.stringContaining(why) as string });
  });

  test('what a program says of its version is one line that fits and cannot draw', () => {
    const version = `v99.0.0 \u001b[2J${'A'.repeat(900_000)}`;
    const judged = judgeProbe({ ...answer, programs: { git, node: node(version) } }, as);
    const shown = judged.kind === 'usable' ? judged.probe.programs['node']?.version : undefined;
    expect(shown).toMatch(/^v99\.0\.0 +\[2JA+…$/);
    expect(shown).toHaveLength(200);
  });

  test.each([
    ['its own', { programs: { git, node: node('v22.1.0') } }, '/usr/bin/node', []],
    ["fluffy's, where it has none", { programs: { git } }, '/opt/fluffy/lib/node', []],
    [
      "fluffy's, where its own is too old",
      { programs: { git, node: node('v16.9.0') } },
      '/opt/fluffy/lib/node',
      ['v16.9.0'],
    ],
    [
      "fluffy's with its libraries, where it has another C library",
      { programs: { git }, direct: false },
      '/opt/fluffy/bin/node',
      ['no Node'],
    ],
    ['its own, without git', { programs: { node: node('v24.0.0') } }, '/usr/bin/node', ['no git']],
  ])('the Node that runs tests is %s', (_, found, path, notes) => {
    const judged = judgeProbe({ ...answer, ...found }, as);
    expect(judged).toMatchObject({ probe: { node: path } });
    const said = judged.kind === 'usable' ? judged.probe.notes : [];
    expect(said).toEqual(notes.map((note) => expect.stringContaining(note) as string));
  });
});

test.each([
  ['golang:1.24', true],
  ['localhost:5000/team/tools@sha256:' + 'a'.repeat(64), true],
  ['sha256:' + 'a'.repeat(64), true],
  ['../volumes', false],
  ['a/../b', false],
  ['a?x=1', false],
  ['a b', false],
  ['-x', false],
])('%s as the name of an image: %s', (reference, isOne) => {
  expect(imageReferenceSchema.safeParse(reference).success).toBe(isOne);
});
