import { expect, it } from 'vitest';
import { standInsFor } from '../../../../src/kernel/proof/stand-ins/stand-ins.ts';
import { MemoryWorkspace } from '../../../support/kernel/memory-workspace.ts';

const JS_TEST = "import { f, g } from '../src/f.js';\n";
const FILES = {
  'test/f.test.js': JS_TEST,
  'test/required.test.js': "const { f } = require('../src/f.js');\n",
  'test/f_test.py': 'from app.f import f\n',
  'test/FTest.php': '<?php\nuse App\\F;\n',
  'test/f_test.rb': 'require_relative "../lib/f"\n',
  'app/__init__.py': '',
  'jobs/src/billing/__init__.py': '',
  'jobs/tests/f_test.py': 'from billing.f import f\n',
  'src/old.js': 'export const f = 1;\n',
};

/** The paths at which the test file is given what it lacks. */
async function planted(file: string, specifier: string, name?: string): Promise<string[]> {
  const missing = { specifier, ...(name === undefined ? {} : { export: name }) };
  const failed = {
    file,
    name: '(load)',
    status: 'failed' as const,
    duration_ms: 1,
    failure: { kind: 'load' as const, message: name ?? 'no', missing },
  };
  const lacking = { projectRoot: '/project', failed, form: 'throwing' as const, planted: new Map() };
  return (await standInsFor(new MemoryWorkspace(FILES), lacking)).map(({ path }) => path);
}

it.each<readonly [string, string, string | undefined, readonly string[]]>([
  ['test/f.test.js', '../src/f.js', undefined, ['src/f.js']],
  ['test/f.test.js', '../src/f', undefined, ['src/f.js']],
  ['test/f.test.js', '../src/old.js', 'g', ['src/old.js']],
  ['test/f.test.js', '../src/gone.js', 'g', []],
  ['test/f.test.js', '../src/old.js', 'not a name', []],
  ['test/f.test.js', '../src/f.json', undefined, []],
  ['test/f.test.js', '../../outside.js', undefined, []],
  ['test/f.test.js', 'some-package', undefined, []],
  ['test/gone.test.js', '../src/f.js', undefined, []],
  ['test/f_test.py', '/project/app/f', undefined, ['app/f/__init__.py']],
  ['jobs/tests/f_test.py', '/project/jobs/billing/f', undefined, ['jobs/src/billing/f/__init__.py']],
  ['jobs/tests/f_test.py', '/project/jobs/billing', 'f', ['jobs/src/billing/__init__.py']],
  ['jobs/tests/f_test.py', '/project/jobs/other', undefined, ['jobs/other/__init__.py']],
  ['test/FTest.php', '../src/F.php', undefined, ['src/F.php']],
  ['test/FTest.php', '../src/F', undefined, []],
  ['test/FTest.php', '/project/(package)', 'Interface "App\\F" not found', ['test/FTest.php']],
  ['test/f_test.rb', '../lib/f.rb', undefined, ['lib/f.rb']],
  ['test/f_test.rb', '../lib/f', undefined, ['test/f_test.rb']],
])('%s that lacks %s (%s) is given %j', async (file, specifier, name, paths) => {
  expect(await planted(file, specifier, name)).toEqual(paths);
});
