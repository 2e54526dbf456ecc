import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installedFile } from '../../../tool-plugins/test-tool/shared/javascript/installed-package.ts';

const VITEST = { 'package.json': '{ "name": "vitest", "exports": { "./node": "./node.js" } }', 'node.js': '' };

/** Files by path; `-> x` makes a link. */
function project(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-installed-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), join(root, path));
    else writeFileSync(join(root, path), content);
  }
  return root;
}

function below(directory: string): Record<string, string> {
  return Object.fromEntries(Object.entries(VITEST).map(([name, text]) => [`${directory}/${name}`, text]));
}

it.each([
  ['in the project', 'node_modules/vitest', below('node_modules/vitest')],
  [
    'linked to a store, as pnpm does',
    'node_modules/.pnpm/vitest@4/node_modules/vitest',
    {
      ...below('node_modules/.pnpm/vitest@4/node_modules/vitest'),
      'node_modules/vitest': '-> .pnpm/vitest@4/node_modules/vitest',
    },
  ],
])('finds a runner that is installed: %s', (_, at, files) => {
  const root = project(files);
  expect(installedFile(root, 'vitest/node')).toBe(join(root, at, 'node.js'));
});

it.each([
  ['a workspace that is linked', { ...below('packages/vitest'), 'node_modules/vitest': '-> ../packages/vitest' }],
  ['the project itself under that name', { ...VITEST, ...below('node_modules/vitest') }],
  [
    'a file that is linked',
    { ...below('node_modules/vitest'), 'own.js': '', 'node_modules/vitest/node.js': '-> ../../own.js' },
  ],
])('takes no judge from what a change can write: %s', (_, files) => {
  expect(() => installedFile(project(files), 'vitest/node')).toThrow(
    /^vitest is not an installed package: \S+ is a file of the project itself/,
  );
});

it('says that a runner is missing', () => {
  expect(() => installedFile(project({}), 'mocha/package.json')).toThrow(/^mocha is not installed: it is not in/);
});
