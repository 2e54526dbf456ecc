import { expect, test } from 'vitest';
import type { AddedPackageFacts } from '../../../src/contracts/session/added-package.ts';
import { packageReasons } from '../../../src/kernel/review/package-reasons.ts';

const NOW = Date.UTC(2026, 0, 11);
const facts = (more: Partial<AddedPackageFacts>): AddedPackageFacts => ({
  manager: 'npm',
  name: 'ms',
  version: '2.1.3',
  requested: true,
  published_ms: Date.UTC(2026, 0, 1),
  maintainers: 1,
  licence: 'MIT',
  install_script: 'none',
  ...more,
});

test('the card says what the registry tells of each package, the requested one first', () => {
  const unknown = { published_ms: null, maintainers: null, licence: null, requested: false } as const;
  expect(
    packageReasons(
      [facts({ ...unknown, name: 'b', install_script: 'not-run' }), facts({})],
      ['package-lock.json'],
      NOW,
    ),
  ).toEqual([
    'New dependency ms 2.1.3: published 10 d ago, 1 maintainer, licence MIT.',
    'New package b 2.1.3: age unknown, maintainers unknown, licence unknown, its install script was not run.',
  ]);
});

test('a name one letter from a well-known one is a reason of its own', () => {
  expect(packageReasons([facts({ name: 'lodahs' })], ['package-lock.json'], NOW)[1]).toContain(
    'one letter away from lodash',
  );
});

test('packages that the change no longer holds are not shown', () => {
  expect(packageReasons([facts({})], ['src/a.js'], NOW)).toEqual([]);
});
