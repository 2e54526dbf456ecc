/** Runs tests of ctest that are programs without a framework: each is one case. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJunit } from '../junit.ts';
import { output } from '../program-output.ts';
import { testEnvironment, workingDirectory } from './project.ts';
import type { CTest, CmakeProgram, CmakeProject } from './project.ts';
import type { CxxCase } from './reports.ts';
import { isAssertion } from './run-program.ts';
import type { OnEnded } from './run-program.ts';

/** What ctest prints when a test has ended. */
const ENDED = /^ *\d+\/\d+ Test +#\d+: (.+?) \.+ *(Passed|\*\*\*\S+)/;

/** Their fixtures run with them, and what CMakeLists.txt sets of them counts. */
export async function runPlainTests(
  project: CmakeProject,
  tests: readonly CTest[],
  onEnded: OnEnded,
): Promise<ReadonlyMap<string, CxxCase>> {
  const scratch = mkdtempSync(join(project.build, 'run-'));
  const report = join(scratch, 'report.xml');
  const names = tests.map(({ name }) => name.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  try {
    await output(
      'ctest',
      ['-R', `^(${names.join('|')})$`, '--output-junit', report, '--test-output-size-failed', '100000'],
      {
        cwd: project.build,
        env: { ...process.env, CTEST_OUTPUT_ON_FAILURE: '' },
        onLine: (line) => {
          const [, name, verdict = ''] = ENDED.exec(line) ?? [];
          const isOwn = tests.some((each) => each.name === name);
          if (name !== undefined && isOwn) onEnded(name, !/^(?:Passed|\*\*\*Skipped)/.test(verdict));
        },
      },
    );
    const results = readJunit(readFileSync(report, 'utf8'));
    const found = new Map<string, CxxCase>();
    for (const test of tests) {
      const [result, more] = results.filter(({ name }) => name === test.name);
      if (result === undefined || more !== undefined) continue;
      const isPlanned = result.status === 'passed' && test.properties['WILL_FAIL'] === true;
      found.set(test.name, {
        id: test.name,
        names: [test.name],
        file: '',
        status: isPlanned ? 'todo' : result.status,
        seconds: result.seconds,
        message: result.message,
        isError: !isAssertion(result.message) && /SEGFAULT|Exception|BUS|ILLEGAL|Timeout/i.test(result.message),
      });
    }
    return found;
  } catch {
    return new Map();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How a program ends when its `main` is asked: well where it has to, and not well where it must not. */
export async function askMain(
  project: CmakeProject,
  { executable }: CmakeProgram,
  test: CTest,
  variable: string,
): Promise<string> {
  const ask = async (how: string): Promise<string> => {
    const env = { ...testEnvironment(test), [variable]: how };
    const { code } = await output(executable, [], { cwd: workingDirectory(test, project), env });
    return code === 0 ? 'passed' : 'failed';
  };
  return `${await ask('p')}:${await ask('f')}`;
}
