import { expect, test } from 'vitest';
import type { AddedPackageFacts } from '../../../src/contracts/session/added-package.ts';
import { incomingPackages } from '../../../src/kernel/review/incoming-packages.ts';
import type { IncomingPackage } from '../../../src/kernel/review/incoming-packages.ts';
import { packageReasons } from '../../../src/kernel/review/package-reasons.ts';
import { MemoryWorkspace } from '../../support/kernel/memory-workspace.ts';

const NOW = Date.UTC(2026, 0, 11);
const FACTS: AddedPackageFacts = {
  manager: 'npm',
  name: 'ms',
  version: '2.1.3',
  requested: true,
  published_ms: Date.UTC(2026, 0, 1),
  maintainers: 1,
  licence: 'MIT',
  install_script: 'none',
};
const MS: IncomingPackage = {
  manager: 'npm',
  name: 'ms',
  version: '2.1.3',
  listed: 'dependencies',
  digest: 'sha512-a',
  hasInstallScript: false,
  unlike: { kind: 'new' },
  facts: FACTS,
};

test.each([
  ['what the registry tells', MS, 'New dependency ms 2.1.3: published 10 d ago, 1 maintainer, licence MIT.'],
  [
    'what the registry does not tell, and a script',
    {
      ...MS,
      listed: null,
      facts: { ...FACTS, published_ms: null, maintainers: null, licence: null, install_script: 'not-run' },
    },
    'New package ms 2.1.3: age unknown, maintainers unknown, licence unknown, its install script was not run.',
  ],
  [
    'that its authors have given it up',
    { ...MS, facts: { ...FACTS, deprecated: 'has a backdoor' } },
    'New dependency ms 2.1.3: published 10 d ago, 1 maintainer, licence MIT, deprecated by its authors: has a backdoor.',
  ],
  [
    'that nobody has looked at it',
    { ...MS, facts: null, hasInstallScript: true },
    'New dependency ms 2.1.3: it was not installed here, so nothing about it was compared with the registry; it has an install script.',
  ],
  [
    'that an old name has new content',
    { ...MS, unlike: { kind: 'another-archive' } },
    'Package ms 2.1.3 has another digest in the lockfile than on HEAD: published 10 d ago, 1 maintainer, licence MIT.',
  ],
  [
    'that it is listed elsewhere',
    { ...MS, listed: 'devDependencies', unlike: { kind: 'listed-elsewhere', before: 'dependencies' } },
    'Dependency ms moves from dependencies to devDependencies.',
  ],
] satisfies readonly [string, IncomingPackage, string][])('the card says %s', (_what, each, words) => {
  expect(packageReasons([each], NOW)).toEqual([words]);
});

test('what the manifest names comes first', () => {
  const reasons = packageReasons([{ ...MS, name: 'b', listed: null }, MS], NOW);
  expect(reasons.map((reason) => reason.split(' ')[2])).toEqual(['ms', 'b']);
});

test('a name one letter from a well-known one is a reason of its own', () => {
  expect(packageReasons([{ ...MS, name: 'lodahs' }], NOW)[1]).toContain('one letter away from lodash');
});

const lockOf = (packages: Record<string, object>): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });
const entry = (version: string, digest = 'a') => ({ version, integrity: `sha512-${digest}` });

test.each([
  ['a package that somebody wrote into the lockfile', { 'node_modules/ms': entry('2.1.3') }, ['ms 2.1.3 new']],
  ['one that HEAD has', { 'node_modules/old': entry('1.0.0') }, []],
  ['one that HEAD has with another digest', { 'node_modules/old': entry('1.0.0', 'b') }, ['old 1.0.0 another-archive']],
  ['one that was installed and is in the lockfile no more', {}, []],
])('comes in: %s', async (_what, packages, expected) => {
  const onHead: Record<string, string> = {
    'package.json': '{"dependencies":{"old":"1"}}',
    'package-lock.json': lockOf({ 'node_modules/old': entry('1.0.0') }),
  };
  const workspace = new MemoryWorkspace({
    'package.json': '{"dependencies":{"old":"1"}}',
    'package-lock.json': lockOf(packages),
  });
  const commits = { textOnHead: (path: string) => Promise.resolve(onHead[path] ?? null) };
  const services = { commits } as unknown as Parameters<typeof incomingPackages>[0];
  const incoming = await incomingPackages(services, workspace, ['package-lock.json'], [FACTS]);
  expect(incoming.map(({ name, version, unlike }) => `${name} ${version} ${unlike.kind}`)).toEqual(expected);
});

test('what came with a requirement is shown where requirements.txt does not name it', async () => {
  const workspace = new MemoryWorkspace({ 'requirements.txt': 'flask>=2\n' });
  const commits = { textOnHead: () => Promise.resolve(null) };
  const services = { commits } as unknown as Parameters<typeof incomingPackages>[0];
  const learned = [{ ...FACTS, manager: 'pip', name: 'werkzeug', version: '3.0' } as const];
  const incoming = await incomingPackages(services, workspace, ['requirements.txt'], learned);
  expect(incoming.map(({ name, version, facts }) => [name, version, facts?.licence])).toEqual([
    ['flask', '>=2', undefined],
    ['werkzeug', '3.0', 'MIT'],
  ]);
});
