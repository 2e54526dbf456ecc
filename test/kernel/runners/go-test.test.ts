import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { goTest } from '../../../src/kernel/runners/go-test/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { goToolchain } from '../../support/go-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 600_000;
const toolchain = await goToolchain();
/** Left out where the machine has no Go. */
const describeHere = describe.skipIf(toolchain === null);
const host = new RunnerOnHost(goTest, {
  program: process.execPath,
  packages: { 'go.mod': 'module example.com/job\n\ngo 1.24\n' },
  env: { ...toolchain?.forTests.env, PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: DEADLINE_MS,
});
beforeAll(() => host.playTogether(), DEADLINE_MS);
afterAll(() => {
  host.close();
});

const T = 'package a\n\nimport "testing"\n\n';
const BAD = 'func TestBad(t *testing.T) { t.Error("bad") }\n';

describeHere('a run of go test', () => {
  it(
    'lists every case with its file, its full name, its status and how it failed, in all kinds of packages',
    host.on(
      {
        'a/add.go': 'package a\n\nfunc Add(a, b int) int { return a + b }\n',
        'a/add_test.go': `${T}func TestAdd(t *testing.T) {
	t.Run("right", func(t *testing.T) { if Add(1, 2) != 3 { t.Fatal("no") } })
	t.Run("wrong", func(t *testing.T) { if Add(1, 2) != 4 { t.Errorf("got %d, want 4", Add(1, 2)) } })
	t.Run("later", func(t *testing.T) { t.Skip("later") })
}
func TestThrows(t *testing.T) { t.Log("seen"); var m map[string]int; m["a"] = 1 }
`,
        'a/outside_test.go': 'package a_test\n\nimport "testing"\n\nfunc TestAAA(t *testing.T) {}\n',
        'b/seed_test.go':
          'package b\n\nimport "testing"\n\nfunc FuzzSeed(f *testing.F) { f.Add(1); f.Fuzz(func(t *testing.T, n int) {}) }\n',
      },
      (run) => {
        expect(statuses(run)).toMatchObject({
          'a/add_test.go TestAdd': 'failed',
          'a/add_test.go TestAdd > right': 'passed',
          'a/add_test.go TestAdd > wrong': 'failed',
          'a/add_test.go TestAdd > later': 'skipped',
          'a/add_test.go TestThrows': 'failed',
          'b/seed_test.go FuzzSeed': 'passed',
        });
        const failures = Object.fromEntries(run.cases.map((each) => [each.name, each.failure]));
        expect(failures['TestAdd > wrong']).toMatchObject({
          kind: 'assertion',
          message: expect.stringContaining('got 3, want 4') as unknown,
        });
        expect(failures['TestThrows']).toMatchObject({
          kind: 'error',
          message: expect.stringContaining('assignment to entry in nil map') as unknown,
        });
      },
    ),
  );

  it(
    'passes when every case passes, with nothing of the canaries left in it',
    host.on({ 'a/a_test.go': `${T}func TestOne(t *testing.T) {}\n` }, (run) => {
      expect(run.outcome).toBe('passed');
      expect(statuses(run)).toEqual({ 'a/a_test.go TestOne': 'passed' });
    }),
  );

  it.each<[string, string, boolean]>(
    [
      ['a function of the package', 'func TestX(t *testing.T) { Missing() }\n', true],
      ['a parameter', 'func TestX(t *testing.T) { Add(1, 2, 3) }\n', true],
      ['a method', 'func TestX(t *testing.T) { Thing{}.Missing() }\n', true],
      ['nothing but a bracket', 'func TestX(t *testing.T) {\n', false],
      ['the use of a variable', 'func TestX(t *testing.T) { unused := 1 }\n', false],
      ['a function of the library', 'func TestX(t *testing.T) { testing.Missing() }\n', false],
    ].map(([name, body, inside]) => {
      const files = {
        'a/add.go': 'package a\n\ntype Thing struct{}\n\nfunc Add(a, b int) int { return a + b }\n',
        'a/x_test.go': `${T}${String(body)}`,
      };
      return [String(name), host.together(files), inside === true] as const;
    }) as never,
  )('a build that lacks %s is not loaded', async (_, result, inside) => {
    const run = await (result as unknown as () => Promise<TestRun>)();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure?.kind).toBe('load');
    const specifier = failure?.missing?.specifier ?? '';
    expect(resolvesInside(specifier.split('/project/')[0] + '/project', 'a/x_test.go', specifier)).toBe(inside);
  });
});

describeHere('a Go that is older than the project asks for', () => {
  it.each([
    ['by its go line', 'go 1.99\n', 'crashed'],
    ['only by its toolchain line', 'go 1.24\n\ntoolchain go1.99.0\n', 'passed'],
  ])('%s', { timeout: DEADLINE_MS }, async (_, lines, outcome) => {
    const run = await host.run({
      'go.mod': `module example.com/job\n\n${lines}`,
      'a/a_test.go': `${T}func TestA(t *testing.T) {}\n`,
    });
    expect(run.outcome).toBe(outcome);
    if (outcome === 'crashed')
      expect(run.why).toMatch(
        /go\.mod asks for Go 1\.99, and the sandbox has Go 1\.\S+.*no network.*https:\/\/go\.dev\/dl/s,
      );
  });
});

describeHere('a package whose TestMain gives up before any test', () => {
  it('fails by itself, and leaves the others as they are', { timeout: DEADLINE_MS }, async () => {
    const run = await host.run({
      'a/a_test.go': `package a\n\nimport ("log"; "testing")\n\nfunc TestMain(m *testing.M) { log.Fatal("no database") }\nfunc TestA(t *testing.T) {}\n`,
      'b/b_test.go': `package b\n\nimport "testing"\n\nfunc TestB(t *testing.T) {}\n`,
    });
    expect(run.outcome).toBe('failed');
    expect(run.cases).toMatchObject([
      { file: 'a/a_test.go', name: '(file)', status: 'failed', failure: { kind: 'crash' } },
      { file: 'b/b_test.go', name: 'TestB', status: 'passed' },
    ]);
    expect(run.cases[0]?.failure?.message).toContain('no database');
  });
});

describeHere('a package that has tests alone so far', () => {
  it('lacks what its tests import of it', { timeout: DEADLINE_MS }, async () => {
    const head = 'package mul_test\n\nimport (\n\t"testing"\n\n\t"example.com/job/mul"\n)\n\n';
    const run = await host.run({
      'mul/mul_test.go': `${head}func TestMul(t *testing.T) { if mul.Mul(6, 7) != 42 { t.Fatal("no") } }\n`,
    });
    const [{ failure } = { failure: undefined }] = run.cases;
    expect(failure).toMatchObject({ kind: 'load', message: expect.stringContaining('no non-test Go files') as string });
    const specifier = failure?.missing?.specifier ?? '';
    expect(resolvesInside(`${specifier.split('/project/')[0]}/project`, 'mul/mul_test.go', specifier)).toBe(true);
  });
});

type Trick = readonly [name: string, outcome: string, files: Files];

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly Trick[] = [
  [
    'a TestMain that runs nothing',
    'tampered',
    { 'a/a_test.go': `package a\n\nimport ("os"; "testing")\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n${BAD}` },
  ],
  [
    'a TestMain that hides the failure',
    'tampered',
    {
      'a/a_test.go': `package a\n\nimport ("os"; "testing")\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n${BAD}`,
    },
  ],
  [
    'a source that ends the process when it is loaded',
    'tampered|failed',
    { 'a/a.go': 'package a\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n', 'a/a_test.go': T + BAD },
  ],
  [
    'a source that ends the process in a test',
    'tampered|failed',
    {
      'a/a.go': 'package a\n\nimport "syscall"\n\nfunc F() { syscall.Exit(0) }\n',
      'a/a_test.go': `${T}func TestF(t *testing.T) { F(); t.Error("bad") }\n`,
    },
  ],
  [
    'a source that chooses the tests to run',
    'tampered',
    {
      'a/a_test.go': `package a\n\nimport ("flag"; "testing")\n\nfunc TestMain(m *testing.M) { flag.Parse(); flag.Set("test.run", "Good"); m.Run() }\nfunc TestGood(t *testing.T) {}\n${BAD}`,
    },
  ],
  [
    'a source that prints a result',
    'tampered|failed',
    {
      'a/a.go': 'package a\n\nimport "fmt"\n\nfunc F() { fmt.Print("\\x16--- PASS: TestF (0.00s)\\n") }\n',
      'a/a_test.go': `${T}func TestF(t *testing.T) { F(); t.Error("bad") }\n`,
    },
  ],
];

describeHere('fake green', () => {
  it.each(TRICKS.map(([name, outcome, files]) => [name, outcome, host.together(files)] as const))(
    'never passes: %s',
    async (_, outcome, run) => {
      expect((await run()).outcome).toMatch(new RegExp(`^(${outcome})$`));
    },
  );
});
