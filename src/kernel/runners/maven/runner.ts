import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { nodeJob } from '../node-job.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingInPackage } from '../missing-module.ts';
import { plainEnvironment, withoutBuilt } from '../plain-command.ts';
import type { Runner } from '../runner.ts';
import { detectMaven } from './detect.ts';

const PROGRAM = 'maven-run.mjs';
/** Names that Surefire collects. */
const PATTERNS = ['**/Test*.java', '**/*Test.java', '**/*Tests.java', '**/*TestCase.java'];
const NEVER = ['**/src/main/**', '**/target/**', '**/.*/**', '**/node_modules/**'];
/** Flags for how the project is built. Flags that select or skip tests or change the output are left out. */
const SETTINGS = /^(?:-P|--activate-profiles=).+|^-D(?!test\b|skip|maven\.|surefire\.|failIf|user\.|java\.).+/;

/** Tests of JUnit 4, JUnit 5 and TestNG, run by Maven's Surefire plugin. */
export const maven: Runner = {
  name: 'maven',
  title: 'JUnit by Maven',
  program: PROGRAM,
  builds: true,
  detect: detectMaven,

  collects: (path) => matchesAnyGlob(path, PATTERNS) && !matchesAnyGlob(path, NEVER),
  namedBy: () => [],
  pattern: 'Test*.java, *Test.java, *Tests.java, *TestCase.java',
  cleansUp: 'in a method with @BeforeEach or @AfterEach',
  fileName: (stem) => `${stem.charAt(0).toUpperCase()}${stem.slice(1)}Test.java`,
  loadsFirst: ['pom.xml', '.mvn/*', 'junit-platform.properties', 'org.junit.*', 'org.testng.*'],

  plan(input) {
    const args = input.command.args.filter((arg) => SETTINGS.test(arg));
    return nodeJob(input, PROGRAM, { options: { args } });
  },

  plain: (command) => {
    const words = shellWords(['mvn', '-q', 'test', ...command.args.filter((arg) => SETTINGS.test(arg))]);
    const clean = `find . -name pom.xml | while read -r pom; do rm -rf "\${pom%pom.xml}target"; done`;
    const script = withoutBuilt(`${words} -B`, clean);
    return { words, script, build: null, env: plainEnvironment([]), image: 'node' };
  },

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, ({ message, place }) => {
      if (place !== 'project') return null;
      const name = /symbol: +(?:class|method|variable|static) (\w+)/.exec(message)?.[1];
      return missingInPackage(plan.projectRoot, name);
    }),
};
