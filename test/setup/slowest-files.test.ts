import { join } from 'node:path';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVitest } from 'vitest/node';
import { SlowestFiles, slowestFiles } from '../support/reporter/slowest-files.ts';

const ROOT = join(import.meta.dirname, '../..');
let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(ROOT, 'node_modules/.slowest-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('the slowest files come first, with what all of them took', () => {
  const files = Array.from({ length: 4 }, (_, index) => ({
    project: 'unit',
    path: `test/${index}.test.ts`,
    tests: index,
    ms: index * 1_000 + 40,
  }));
  expect(slowestFiles(files, 2)).toBe(
    [
      'The 2 slowest of 4 files, which took 6.2 s in all:',
      '    3.0 s  unit  test/3.test.ts (3 tests)',
      '    2.0 s  unit  test/2.test.ts (2 tests)',
    ].join('\n'),
  );
});

test('a run of a few files is not summed up', () => {
  expect(slowestFiles([{ project: 'unit', path: 'a.test.ts', tests: 1, ms: 5 }])).toBe('');
});

test('a run prints the table at its end', async () => {
  for (let index = 0; index < 11; index++) {
    const wait = index === 7 ? 'await new Promise((done) => setTimeout(done, 300));' : '';
    const text = `import { test } from 'vitest';\ntest('one', async () => { ${wait} });\n`;
    await writeFile(join(directory, `file-${index}.test.ts`), text);
  }
  let printed = '';
  const vitest = await startVitest('test', [], {
    root: directory,
    config: false,
    watch: false,
    reporters: [new SlowestFiles((text) => (printed += text))],
  });
  await vitest.close();
  const [, title, first] = printed.split('\n');
  expect(title).toMatch(/^The 10 slowest of 11 files, which took \d+\.\d s in all:$/);
  expect(first).toMatch(/^ +\d+\.\d s .*file-7\.test\.ts \(1 test\)$/);
});
