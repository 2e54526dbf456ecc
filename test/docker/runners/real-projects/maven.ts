import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { JUNIT4, MAVEN_REPOSITORY, mavenToolchain, pom } from '../../../support/maven-toolchain.ts';
import type { Dependency } from '../../../support/maven-toolchain.ts';
import type { RealProject } from './real-project.ts';

const COMMONS = { group: 'commons-cli', artifact: 'commons-cli', version: '1.5.0' };
const SOURCES: Dependency = { ...COMMONS, classifier: 'sources' };
const TEST_SOURCES: Dependency = { ...COMMONS, classifier: 'test-sources' };
const CLI = 'org/apache/commons/cli';

export const isSoak = process.env['FLUFFY_SOAK'] === '1';

/** null where this machine cannot run it, or is not to: Maven starts some ten times. */
export const mavenForRealProject = isSoak
  ? await mavenToolchain([JUNIT4, SOURCES, TEST_SOURCES], '@org.junit.Test')
  : null;

/** The published sources, and those of their tests that are in the package itself. */
function published(): Record<string, string> {
  const scratch = mkdtempSync(join(tmpdir(), 'commons-cli-'));
  try {
    const java = mavenForRealProject?.forTests.env['JAVA_HOME'] ?? '';
    // Not among what is published; two tests read it.
    const files: Record<string, string> = { [`src/test/resources/${CLI}/existing-readable.file`]: '\n' };
    for (const [{ classifier = '' }, target] of [
      [SOURCES, 'src/main/java'],
      [TEST_SOURCES, 'src/test/java'],
    ] as const) {
      const jar = `${MAVEN_REPOSITORY}/commons-cli/commons-cli/1.5.0/commons-cli-1.5.0-${classifier}.jar`;
      const directory = join(scratch, classifier);
      mkdirSync(directory);
      execFileSync(join(java, 'bin/jar'), ['xf', jar], { cwd: directory });
      for (const path of globSync(`${CLI}/*.java`, { cwd: directory }))
        files[`${target}/${dirname(path)}/${basename(path)}`] = readFileSync(join(directory, path), 'utf8');
    }
    return files;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export const mavenProject: RealProject = {
  runner: 'maven',
  name: 'commons-cli 1.5.0: a question about an option without a name is no error',
  files: () => ({ '.gitignore': 'target/\n', 'pom.xml': pom('commons-cli', [JUNIT4]), ...published() }),
  prepare: (_root, home) => {
    mkdirSync(join(home, '.m2'), { recursive: true });
    symlinkSync(MAVEN_REPOSITORY, join(home, '.m2/repository'));
  },
  test: {
    path: `src/test/java/${CLI}/NoNameTest.java`,
    content: `package org.apache.commons.cli;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;

import org.junit.Test;

public class NoNameTest {
    private final CommandLine line = new CommandLine.Builder().addOption(Option.builder("a").build()).build();

    @Test
    public void isNoOption() {
        assertFalse(line.hasOption((String) null));
    }

    @Test
    public void hasNoValue() {
        assertNull(line.getOptionValue((String) null));
    }
}
`,
  },
  fix: {
    path: `src/main/java/${CLI}/CommandLine.java`,
    old_string: '        opt = Util.stripLeadingHyphens(opt);\n        for',
    new_string:
      '        opt = Util.stripLeadingHyphens(opt);\n        if (opt == null) {\n            return null;\n        }\n        for',
  },
  cases: ['isNoOption', 'hasNoValue'],
  forHuman: [],
};
