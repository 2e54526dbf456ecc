import { expect, it } from 'vitest';
import type { TestCase } from '../../../../src/contracts/sandbox/test-run.ts';
import { thrownBySource } from '../../../../src/kernel/proof/stand-ins/thrown-by-source.ts';
import type { Cases } from '../../../support/kernel/node-test-report.ts';
import { nodeTestReports } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const STUB = "throw new Error('not implemented');\n";
const FILES: Readonly<Record<string, string>> = {
  'src/stub.js': STUB,
  'src/stub.py': 'raise NotImplementedError\n',
  'test/helper.js': STUB,
  'test/a.test.js': "import { f } from '../src/stub.js';\nf();\n",
  'test/itself.test.js': "import '../src/stub.js';\nthrow 1;\n",
  'test/empty.test.js': "import '../src/stub.js';\n",
  'test/helped.test.js': "import './helper.js';\n",
  'test/gone.test.js': "import '../src/gone.js';\n",
  'test/broken.test.js': "import '../src/stub.js';\n}}}\n",
  'test/a_test.py': 'from src.stub import f\n',
  'test/a_test.rb': "require_relative '../src/stub'\n",
  'test/a.txt': '',
};

const failedToLoad = (file: string): TestCase => ({
  file,
  name: '(load)',
  status: 'failed',
  duration_ms: 0,
  failure: { kind: 'load', message: 'Error: not implemented' },
});

/** The files that load without their source, and the files that were replaced in the run. */
async function thrown(...files: readonly string[]) {
  const { services, session, workspace, sandboxes } = testKernel({ files: FILES });
  const replaced: string[] = [];
  sandboxes.runTests = (run) => {
    replaced.push(...[...run.files].flatMap(([path, { text }]) => (text === FILES[path] ? [] : [path])));
    return nodeTestReports(run, (path): Cases | null => {
      if (path.startsWith('test/itself')) return null;
      return path.startsWith('test/empty') ? {} : { works: false };
    });
  };
  const site = { id: session.id, workspace, session };
  const command = { runner: 'node-test', cwd: '', args: [] };
  const { signal } = new AbortController();
  const found = await thrownBySource(services, site, command, files.map(failedToLoad), signal);
  return { files: found?.files ?? null, replaced };
}

it.each<readonly [string, readonly string[], readonly string[] | null, readonly string[]]>([
  ['loads without its source', ['test/a.test.js'], ['test/a.test.js'], ['src/stub.js']],
  ['throws itself', ['test/itself.test.js'], null, ['src/stub.js']],
  ['has no case then', ['test/empty.test.js'], null, ['src/stub.js']],
  ['is one of two', ['test/a.test.js', 'test/itself.test.js'], ['test/a.test.js'], ['src/stub.js']],
  ['imports a helper of tests alone', ['test/helped.test.js'], null, []],
  ['imports what is missing', ['test/gone.test.js'], null, []],
  ['is missing itself', ['test/other.test.js'], null, []],
  ['is written in Ruby', ['test/a_test.rb'], null, []],
  ['is in no known language', ['test/a.txt'], null, []],
])('a test file that %s', async (_what, tests, files, replaced) => {
  expect(await thrown(...tests)).toEqual({ files, replaced });
});
