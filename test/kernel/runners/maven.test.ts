import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { maven } from '../../../src/kernel/runners/maven/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { JUPITER, mavenToolchain, pom } from '../../support/maven-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';

const DEADLINE_MS = 600_000;
const toolchain = await mavenToolchain();
/** Left out where the machine has no Maven, or its repository lacks JUnit. */
const describeHere = describe.skipIf(toolchain === null);

let modules = 0;
const parent = {
  get 'pom.xml'(): string {
    const names = Array.from({ length: modules }, (_, at) => `<module>p${String(at).padStart(3, '0')}</module>`);
    return pom('parent', [JUPITER], `<packaging>pom</packaging><modules>${names.join('')}</modules>`);
  },
};
const host = new RunnerOnHost(maven, {
  program: process.execPath,
  packages: parent,
  env: { ...toolchain?.forTests.env, PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: DEADLINE_MS,
});
beforeAll(async () => {
  if (toolchain !== null) await host.playTogether();
}, DEADLINE_MS);
afterAll(() => {
  host.close();
});

/** The run of a project, together with those of other tests: they are modules of one. `more`: of its pom.xml. */
function played(files: Files, more = ''): () => Promise<TestRun> {
  const name = `job-${(modules += 1)}`;
  return host.together({ 'pom.xml': pom(name, [JUPITER], more), ...files });
}

const TESTS = 'src/test/java/job';
const ADD = {
  'src/main/java/job/Add.java':
    'package job;\npublic class Add { public int size; public static int add(int a, int b) { return a + b; } }\n',
};
const HEAD = `package job;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
`;
const BAD = '@Test void bad() { assertEquals(1, 2); }';

/** A project with one test class. */
function test(body: string, more: Files = {}, head = HEAD): Files {
  return { ...ADD, ...more, [`${TESTS}/AddTest.java`]: `${head}class AddTest {\n${body}\n}\n` };
}

function statuses(of: TestRun): Record<string, string> {
  return Object.fromEntries(of.cases.map((each) => [`${each.file.slice(TESTS.length + 1)} ${each.name}`, each.status]));
}

describeHere('a run of Maven', () => {
  const all = played({
    ...test(`
  @Test void right() { System.out.println("seen"); assertEquals(3, Add.add(1, 2)); }
  @Test void wrong() { assertEquals(4, Add.add(1, 2), "sum"); }
  @Test @Disabled void later() {}
  @Test void throwing() { throw new IllegalStateException("no"); }
  @Test @Timeout(1) void slow() throws Exception { Thread.sleep(5000); }
  @Nested class Deep { @Test void inner() { String brace = "}"; char other = '}'; /* } */ } }
`),
    [`${TESTS}/ParameterTests.java`]: `${HEAD}
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class ParameterTests { @ParameterizedTest @ValueSource(ints = {1, 2}) void each(int one) { assertEquals(1, one); } }
class Helper { }
`,
    [`${TESTS}/BaseTest.java`]: `${HEAD}abstract class BaseTest { @Test void inherited() {} }\n`,
    [`${TESTS}/DerivedTest.java`]: 'package job;\nclass DerivedTest extends BaseTest {}\n',
    [`${TESTS}/OffTest.java`]: `${HEAD}@Disabled class OffTest { @Test void never() {} }\n`,
    [`${TESTS}/OwnWordsTest.java`]: `${HEAD}class OwnWordsTest {
  void assertEquals(Add one, Add other) {}
  @Test void own() { assertEquals(new Add(), new Add()); }
}
`,
    [`${TESTS}/HookTest.java`]: `${HEAD}class HookTest { @BeforeEach void before() { fail("hook"); } @Test void one() {} }\n`,
    [`${TESTS}/FirstHookTest.java`]: `${HEAD}class FirstHookTest { @BeforeAll static void before() { fail("hook"); } @Test void one() {} }\n`,
  });

  it('lists every case with its file, its full name, its status and how it failed', async () => {
    const run = await all();
    expect(statuses(run)).toEqual({
      'AddTest.java right': 'passed',
      'AddTest.java wrong': 'failed',
      'AddTest.java later': 'skipped',
      'AddTest.java throwing': 'failed',
      'AddTest.java slow': 'failed',
      'AddTest.java Deep > inner': 'passed',
      'ParameterTests.java each(int)[1]': 'passed',
      'ParameterTests.java each(int)[2]': 'failed',
      'BaseTest.java (file)': 'skipped',
      'DerivedTest.java inherited': 'passed',
      'OffTest.java never': 'skipped',
      'OffTest.java (file)': 'skipped',
      'OwnWordsTest.java own': 'passed',
      'HookTest.java one': 'failed',
      'FirstHookTest.java (class)': 'failed',
      'FirstHookTest.java (file)': 'failed',
    });
    const failures = Object.fromEntries(run.cases.map((each) => [each.name, each.failure]));
    const says = (text: string) => expect.stringContaining(text) as unknown;
    expect(failures).toMatchObject({
      wrong: { kind: 'assertion', message: says('sum ==> expected: <4> but was: <3>') },
      throwing: { kind: 'error', message: says('IllegalStateException: no') },
      slow: { kind: 'timeout' },
    });
    const crashed = run.cases.find(({ file, name }) => file.endsWith('FirstHookTest.java') && name === '(file)');
    expect(crashed?.failure).toMatchObject({ kind: 'crash', message: says('hook') });
  });

  const one = played(test('@Test void one() {}'));
  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const run = await one();
    expect(run.outcome).toBe('passed');
    expect(statuses(run)).toEqual({ 'AddTest.java one': 'passed' });
  });

  it.each<[string, () => Promise<TestRun>, boolean]>(
    (
      [
        ['a method of a class', '@Test void x() { assertEquals(1, Add.missing(1)); }', true],
        ['a class of the package', '@Test void x() { assertEquals(1, new Missing().size()); }', true],
        ['a static class of the package', '@Test void x() { assertEquals(1, Missing.size()); }', true],
        ['a package', '@Test void x() { assertEquals(1, job.deep.Missing.size()); }', true],
        ['a parameter', '@Test void x() { assertEquals(1, Add.add(1)); }', true],
        ['a constructor', '@Test void x() { new Add(1); }', true],
        ['a field', '@Test void x() { assertEquals(1, new Add().missing); }', true],
        ['nothing but a bracket', '@Test void x() {', false],
        ['a variable of its own', '@Test void x() { assertEquals(1, missing); }', false],
        ['the right type', '@Test void x() { int a = "a"; }', false],
        ['a method of the library', '@Test void x() { "a".missing(); }', false],
        ['a package of somebody else', '@Test void x() { org.missing.Thing.add(); }', false],
      ] as const
    ).map(([name, body, inside]) => [name, played(test(body)), inside]),
  )('a build that lacks %s is not loaded', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure).toMatchObject({ kind: 'load', message: expect.stringContaining('ERROR') as unknown });
    const specifier = failure?.missing?.specifier ?? '';
    const root = `${specifier.split('/project/')[0] ?? ''}/project`;
    expect(resolvesInside(root, `${TESTS}/AddTest.java`, specifier)).toBe(inside);
  });

  const broken = played(test(BAD, { 'src/main/java/job/Add.java': 'package job;\npublic class Add {\n' }));
  it('a source that does not compile is nothing that is missing', async () => {
    const [first] = (await broken()).cases;
    expect(first?.failure).toMatchObject({ kind: 'load', message: expect.stringContaining('Add.java') as unknown });
    expect(first?.failure?.missing).toBeUndefined();
  });
});

type Trick = readonly [name: string, outcome: string, files: Files, pom?: string];

const surefire = (settings: string): string =>
  `<profiles><profile><id>all</id><activation><file><exists>pom.xml</exists></file></activation><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>${settings}</configuration></plugin></plugins></build></profile></profiles>`;

const SWALLOW = `class Swallow implements org.junit.jupiter.api.extension.TestExecutionExceptionHandler {
  public void handleTestExecutionException(org.junit.jupiter.api.extension.ExtensionContext context, Throwable thrown) {}
}
`;

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly Trick[] = [
  [
    'an extension that swallows failures',
    'tampered',
    {
      ...ADD,
      [`${TESTS}/AddTest.java`]: `${HEAD}${SWALLOW}@org.junit.jupiter.api.extension.ExtendWith(Swallow.class) class AddTest { ${BAD} }\n`,
    },
  ],
  [
    'an extension of the whole project',
    'tampered',
    {
      ...test(BAD),
      [`${TESTS}/Swallow.java`]: `package job;\npublic ${SWALLOW}`,
      'src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension': 'job.Swallow\n',
      'src/test/resources/junit-platform.properties': 'junit.jupiter.extensions.autodetection.enabled=true\n',
    },
  ],
  ['assertions of the class that assert nothing', 'tampered', test(`void assertEquals(Object a, Object b) {}\n${BAD}`)],
  [
    'assertions of a base class that assert nothing',
    'tampered',
    {
      ...ADD,
      [`${TESTS}/Base.java`]: 'package job;\nclass Base { void assertEquals(int a, int b) {} }\n',
      [`${TESTS}/AddTest.java`]: `${HEAD}class AddTest extends Base { ${BAD} }\n`,
    },
  ],
  [
    'a class of the framework in the project',
    'tampered',
    test(BAD, {
      'src/test/java/org/junit/jupiter/api/Assertions.java':
        'package org.junit.jupiter.api;\npublic class Assertions { public static void assertEquals(int a, int b) {} public static void assertTrue(boolean a) {} }\n',
    }),
  ],
  ['a source that ends the process in a test', 'failed|tampered', test(`@Test void x() { System.exit(0); }\n${BAD}`)],
  [
    'a source that halts when it is loaded',
    'failed|tampered',
    test(`static { Runtime.getRuntime().halt(0); }\n${BAD}`),
  ],
  [
    'a report that is written before the process ends',
    'failed|tampered',
    test(
      `@Test void x() throws Exception {
  java.nio.file.Path reports = java.nio.file.Path.of("target/surefire-reports");
  java.nio.file.Files.createDirectories(reports);
  java.nio.file.Files.writeString(reports.resolve("TEST-job.AddTest.xml"), "<testsuite><testcase name='x' classname='job.AddTest'/></testsuite>");
  Runtime.getRuntime().halt(0);
}
${BAD}`,
    ),
  ],
  [
    'a condition that leaves the class out',
    'passed|tampered',
    {
      ...ADD,
      [`${TESTS}/AddTest.java`]: `${HEAD}@org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable(named = "NEVER", matches = "x") class AddTest { ${BAD} }\n`,
    },
  ],
  ['a setting that runs no test', 'failed|tampered', test(BAD), surefire('<skipTests>true</skipTests>')],
  [
    'a setting that runs one group',
    'failed|tampered',
    test(`@Test @Tag("good") void good() {}\n${BAD}`),
    surefire('<groups>good</groups>'),
  ],
  [
    'a setting that repeats until it passes',
    'failed|tampered',
    test('static int count = 0;\n@Test void bad() { assertEquals(2, ++count); }'),
    surefire('<rerunFailingTestsCount>3</rerunFailingTestsCount>'),
  ],
];

describeHere('fake green', () => {
  it.each(TRICKS.map(([name, outcome, files, more]) => [name, outcome, played(files, more)] as const))(
    'never passes: %s',
    async (_, outcome, result) => {
      const run = await result();
      expect(run.outcome).toMatch(new RegExp(`^(${outcome})$`));
      expect(
        run.cases.filter(({ name, status }) => status === 'passed' && name === 'bad' && run.outcome !== 'tampered'),
      ).toEqual([]);
    },
  );
});
