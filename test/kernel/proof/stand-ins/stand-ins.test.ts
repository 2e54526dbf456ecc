import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TestCase } from '../../../../src/contracts/sandbox/test-run.ts';
import type { Baseline } from '../../../../src/contracts/session/session-facts.ts';
import { judgeStandIns } from '../../../../src/kernel/proof/stand-ins/red-with-stand-ins.ts';
import { standInsFor } from '../../../../src/kernel/proof/stand-ins/stand-ins.ts';
import type { Lacking, StandInForm } from '../../../../src/kernel/proof/stand-ins/stand-ins.ts';
import { MemoryWorkspace } from '../../../support/kernel/memory-workspace.ts';

type Files = Readonly<Record<string, string>>;

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

const lacking = (failed: TestCase, form: StandInForm = 'throwing'): Lacking => ({
  projectRoot: '/project',
  failed,
  form,
  planted: new Map(),
});

/** Runs a program on the files and the stand-ins that they need; what it prints. */
async function run(
  program: readonly string[],
  files: Files,
  failed: Pick<TestCase, 'file' | 'failure'>,
  form: StandInForm = 'throwing',
): Promise<string> {
  const entries = await standInsFor(
    new MemoryWorkspace(files),
    lacking({ name: '(load)', status: 'failed', duration_ms: 1, ...failed }, form),
  );
  root = mkdtempSync(join(tmpdir(), 'fluffy-stand-ins-'));
  const planted = entries.map(({ path, entry }): [string, string] => [
    path,
    entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '',
  ]);
  for (const [path, text] of [...Object.entries(files), ...planted]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const [command = '', ...args] = program;
  const { stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}

const missing = (file: string, specifier: string, name?: string): Pick<TestCase, 'file' | 'failure'> => ({
  file,
  failure: { kind: 'load', message: 'no', missing: { specifier, ...(name === undefined ? {} : { export: name }) } },
});

const NODE = [process.execPath, 'test/a.mjs'];
const TRIES = (used: string): string =>
  `try { ${used}; console.log('fine'); } catch (error) { console.log(error.message); }`;

describe('a stand-in for a JavaScript module', () => {
  it.each([
    ['is called', "import { f } from '../src/f.js';", 'f(1)', 'f is not written yet'],
    ['is constructed', "import { F } from '../src/f.js';", 'new F()', 'F is not written yet'],
    ['is read', "import { LIMITS } from '../src/f.js';", 'LIMITS.high', 'LIMITS is not written yet'],
    ['is called by a namespace', "import * as all from '../src/f.js';", 'all.f(1)', 'f is not written yet'],
    ['is the default', "import f from '../src/f.js';", 'f(1)', 'the module is not written yet'],
    ['is not used', "import { f } from '../src/f.js';", '1 + 1', 'fine'],
    ['has letters beyond ASCII', "import { größe } from '../src/f.js';", 'größe(1)', 'größe is not written yet'],
    ['is renamed', "import { f as g } from '../src/f.js';", 'g(1)', 'f is not written yet'],
  ])('throws when it %s', async (_, imports, used, expected) => {
    const files = { 'package.json': '{"type":"module"}', 'test/a.mjs': `${imports}\n${TRIES(used)}\n` };
    expect(await run(NODE, files, missing('test/a.mjs', '/project/src/f.js'))).toBe(expected);
  });

  it('throws no error that an expectation of errors takes for its own', async () => {
    const test = `import assert from 'node:assert';\nimport { f } from '../src/f.js';\n${TRIES('assert.throws(() => f(1), Error)')}`;
    const files = { 'package.json': '{"type":"module"}', 'test/a.mjs': test };
    expect(await run(NODE, files, missing('test/a.mjs', '/project/src/f.js'))).not.toBe('fine');
  });

  it('can be required where packages are CommonJS', async () => {
    const files = {
      'package.json': '{"type":"commonjs"}',
      'test/a.cjs': `const { f } = require('../src/f');\n${TRIES('f(1)')}`,
    };
    const out = await run([process.execPath, 'test/a.cjs'], files, missing('test/a.cjs', '/project/src/f'));
    expect(out).toBe('f is not written yet');
  });

  it('can be required where the package does not say, by a loader that requires no modules', async () => {
    const files = { 'package.json': '{}', 'test/a.cjs': `const { f } = require('../src/f');\n${TRIES('f(1)')}` };
    const program = [process.execPath, '--no-experimental-require-module', 'test/a.cjs'];
    expect(await run(program, files, missing('test/a.cjs', '/project/src/f'))).toBe('f is not written yet');
  });

  it('adds an export to a module that is there', async () => {
    const files = {
      'package.json': '{"type":"module"}',
      'src/f.js': 'export const old = () => 1;\n',
      'test/a.mjs': `import { old, f } from '../src/f.js';\nconsole.log(old());\n${TRIES('f(1)')}`,
    };
    expect(await run(NODE, files, missing('test/a.mjs', '../src/f.js', 'f'))).toBe('1\nf is not written yet');
    const unicode = { ...files, 'test/a.mjs': `import { größe } from '../src/f.js';\n${TRIES('größe(1)')}` };
    rmSync(root, { recursive: true });
    expect(await run(NODE, unicode, missing('test/a.mjs', '../src/f.js', 'größe'))).toBe('größe is not written yet');
  });

  it.each([
    ['of a package', missing('test/a.mjs', 'lodash')],
    ['outside of the project', missing('test/a.mjs', '../../f.js')],
    ['of data', missing('test/a.mjs', '../f.json')],
  ])('is none %s', async (_, failed) => {
    expect(
      await standInsFor(
        new MemoryWorkspace({ 'test/a.mjs': '' }),
        lacking({ name: 'a', status: 'failed', duration_ms: 1, ...failed }),
      ),
    ).toEqual([]);
  });
});

describe('a stand-in for several missing exports of a module', () => {
  const files = {
    'src/f.mjs': 'export const old = 1;\nconst inner = 2;\n',
    'test/a.mjs': `import { old, a, b as c, inner } from '../src/f.mjs';\n${TRIES('a(1)')}\n${TRIES('c(1)')}\n`,
  };

  it('is made at once, but for what the module has a word of', async () => {
    const [entry] = await standInsFor(
      new MemoryWorkspace(files),
      lacking({ name: 'a', status: 'failed', duration_ms: 1, ...missing('test/a.mjs', '../src/f.mjs', 'a') }),
    );
    const text = entry?.entry.kind === 'file' ? Buffer.from(entry.entry.bytes).toString() : '';
    expect([...text.matchAll(/ as (\w+) }/g)].map(([, name]) => name)).toEqual(['a', 'b']);
    expect(text).toContain('export const old = 1;');
  });

  it('is added to those that are planted already', async () => {
    const failed = { name: 'a', status: 'failed' as const, duration_ms: 1 };
    const workspace = new MemoryWorkspace(files);
    const first = await standInsFor(workspace, lacking({ ...failed, ...missing('test/a.mjs', '../src/f.mjs', 'a') }));
    const planted = new Map(first.map((each) => [each.path, each]));
    const [entry] = await standInsFor(workspace, {
      ...lacking({ ...failed, ...missing('test/a.mjs', '../src/f.mjs', 'inner') }),
      planted,
    });
    const text = entry?.entry.kind === 'file' ? Buffer.from(entry.entry.bytes).toString() : '';
    expect([...text.matchAll(/ as (\w+) }/g)].map(([, name]) => name)).toEqual(['a', 'b', 'inner']);
  });
});

describe('a silent stand-in', () => {
  it.each([
    [
      'JavaScript module',
      NODE,
      { 'test/a.mjs': `import { f } from '../src/f.mjs';\nf(1).g();\nconsole.log(f(1) === 1);\n` },
      missing('test/a.mjs', '../src/f.mjs'),
      'false',
    ],
    [
      'JavaScript export',
      NODE,
      { 'src/f.mjs': '', 'test/a.mjs': `import { F } from '../src/f.mjs';\nconsole.log(new F().size === 1);\n` },
      missing('test/a.mjs', '../src/f.mjs', 'F'),
      'false',
    ],
    [
      'JavaScript constant, in a name,',
      NODE,
      { 'test/a.mjs': `import { STATE } from '../src/f.mjs';\nconsole.log(\`is \${STATE.NEW}\` === 'is new');\n` },
      missing('test/a.mjs', '../src/f.mjs'),
      'false',
    ],
    [
      'Python module',
      ['python3', '-c', 'import sys; sys.path.insert(0, "."); exec(open("test_a.py").read())'],
      { 'test_a.py': 'from f import g\nprint(g(1).h == 1)\n' },
      missing('test_a.py', '/project/f'),
      'False',
    ],
  ] as const)('of a %s throws nothing, and equals nothing', async (_what, program, files, failed, expected) => {
    expect(await run(program, files, failed, 'silent')).toBe(expected);
  });
});

describe('a stand-in for a Python module', () => {
  const PYTHON = ['python3', '-c', 'import sys; sys.path.insert(0, "."); exec(open("test_a.py").read())'];
  const tries = (used: string): string =>
    `try:\n    ${used}\n    print("fine")\nexcept Exception:\n    print("an exception")\nexcept BaseException as error:\n    print(error)\n`;
  it.each([
    ['is called', 'from f import g\n', 'g(1)', 'g is not written yet'],
    ['is compared', 'from f import LIMIT\n', 'LIMIT == 5', 'LIMIT is not written yet'],
    ['is read', 'import f\n', 'f.g.h', 'g is not written yet'],
    ['is not used', 'from f import g\n', '1 + 1', 'fine'],
    [
      'is called as a base class',
      'from f import G\nclass Fake(G, kind=1):\n    pass\n',
      'Fake(1).send()',
      'send is not written yet',
    ],
    ['is only a base class', 'from f import G\nclass Fake(G):\n    def send(self): pass\n', 'Fake(1).send()', 'fine'],
    ['is asked for its name', 'from f import G\n', 'assert G.__name__ == "G"', 'fine'],
  ])('throws when it %s', async (_, imports, used, expected) => {
    const files = { 'test_a.py': imports + tries(used) };
    expect(await run(PYTHON, files, missing('test_a.py', '/project/f'))).toBe(expected);
  });

  it('adds a name to a module that is there', async () => {
    const files = {
      'f.py': 'def old():\n    return 1\n',
      'test_a.py': `from f import old, g\nprint(old())\n${tries('g(1)')}`,
    };
    expect(await run(PYTHON, files, missing('test_a.py', '/project/f', 'g'))).toBe('1\ng is not written yet');
  });

  it('lets pytest look for its own marks on what a test file imports', async () => {
    const looks = 'from f import g\nprint(getattr(g, "_pytestfixturefunction", None), getattr(g, "__test__", None))\n';
    expect(await run(PYTHON, { 'test_a.py': looks }, missing('test_a.py', '/project/f'))).toBe('None None');
  });

  it('is below src where the package is', async () => {
    const files = { 'src/a/__init__.py': '', 'test_a.py': '' };
    const found = await standInsFor(
      new MemoryWorkspace(files),
      lacking({ name: '(load)', status: 'failed', duration_ms: 1, ...missing('test_a.py', '/project/a/b') }),
    );
    expect(found.map(({ path }) => path)).toEqual(['src/a/b/__init__.py']);
  });
});

describe('a run against stand-ins', () => {
  const FILE = 'test/a.test.js';
  const UNKNOWN = { kind: 'unknown', why: '' } as const;
  const OLD: Baseline = {
    kind: 'known',
    passed: [`${FILE}\0old`],
    failed: [`${FILE}\0broken`],
    skipped: [`${FILE}\0later`],
    broken_files: [],
  };
  const runOf = (cases: readonly Partial<TestCase>[]) => ({
    outcome: 'failed' as const,
    cases: cases.map((each) => ({ file: FILE, name: 'a', status: 'failed' as const, duration_ms: 1, ...each })),
    files: [FILE],
    requested: [FILE],
    exit: { kind: 'exited' as const, code: 1 },
    duration_ms: 1,
    output: '',
  });
  it.each([
    ['proves what fails', [{ name: 'a' }, { name: 'b' }], { outcome: 'held', cases: [`${FILE}\0a`, `${FILE}\0b`] }],
    [
      'finds what passes empty',
      [{ name: 'a' }, { name: 'b', status: 'passed' }],
      { outcome: 'failed', empty: [`${FILE}\0b`] },
    ],
    ...(['skipped', 'todo'] as const).map(
      (status) =>
        [
          `finds what is ${status} empty`,
          [{ name: 'a' }, { name: 'b', status }],
          { outcome: 'failed', empty: [`${FILE}\0b`] },
        ] as const,
    ),
    [
      'proves nothing of what still does not load',
      [{ failure: { kind: 'load', message: '' } }],
      { outcome: 'impossible', cases: [] },
    ],
    ['proves nothing without a case', [], { outcome: 'impossible', cases: [] }],
  ] as const)('%s', (_, cases, expected) => {
    expect(judgeStandIns(runOf(cases), [FILE], UNKNOWN)).toMatchObject(expected);
  });

  it.each([
    [
      'may pass or be skipped',
      [{ name: 'a' }, { name: 'old', status: 'passed' }, { name: 'later', status: 'skipped' }],
    ],
    ['may fail as before', [{ name: 'a' }, { name: 'broken' }]],
  ] as const)('counts new cases only: an old one %s', (_, cases) => {
    expect(judgeStandIns(runOf(cases), [FILE], OLD)).toMatchObject({ outcome: 'held', cases: [`${FILE}\0a`] });
  });

  it('counts an old case that fails now because it uses a missing name', () => {
    const cases = [`${FILE}\0old`];
    expect(judgeStandIns(runOf([{ name: 'old' }]), [FILE], OLD)).toMatchObject({ outcome: 'held', cases });
  });

  it('proves nothing if old cases import a missing name and no case uses it', () => {
    const run = runOf([{ name: 'old', status: 'passed' }]);
    expect(judgeStandIns(run, [FILE], OLD)).toMatchObject({ outcome: 'failed', empty: [`${FILE}\0old`] });
  });

  it('takes a file that loads without a case for what the tests import', () => {
    const found = judgeStandIns(runOf([{ name: 'a' }]), [FILE, 'test/helpers/make.js'], UNKNOWN);
    expect(found).toMatchObject({ outcome: 'held', cases: [`${FILE}\0a`], helpers: ['test/helpers/make.js'] });
  });
});
