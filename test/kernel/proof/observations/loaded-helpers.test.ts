import { expect, it } from 'vitest';
import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { loadedHelpers } from '../../../../src/kernel/proof/observations/loaded-helpers.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const FILES = {
  'src/f.js': 'export const f = () => 1;\n',
  'test/helpers/same.js': 'export const same = () => {};\n',
  'test/old.test.js': '',
  'tests/cases.py': 'def same():\n    pass\n',
  'pkg/run_test.go': 'package pkg\n',
  'pkg/run.go': 'package pkg\n',
};
const isTest = (path: string): boolean => /^tests?\/|_test\.go$/.test(path);
const test = (path: string, after: string): ChangedText => ({ path, role: 'test', before: null, after });

it.each<[string, ChangedText, readonly string[]]>([
  [
    'what a test imports, if it is of the tests',
    test('test/f.test.js', "import { f } from '../src/f.js';\nimport { same } from './helpers/same.js';\n"),
    ['test/helpers/same.js'],
  ],
  ['a module of Python', test('tests/test_f.py', 'from tests.cases import same\n'), ['tests/cases.py']],
  ['the tests beside one of Go', test('pkg/f_test.go', 'package pkg\n'), ['pkg/run_test.go']],
  ['nothing that is changed too', test('test/helpers/same.js', "import './same.js';\n"), []],
  ['nothing for a source', { ...test('src/f.js', "import '../test/helpers/same.js';\n"), role: 'source' }, []],
])('finds %s', async (_, changed, expected) => {
  const found = await loadedHelpers(testKernel({ files: FILES }), [changed], isTest);
  expect(found.map(({ path }) => path)).toEqual(expected);
});
