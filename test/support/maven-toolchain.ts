import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findMaven } from '../../src/host/toolchains/maven.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { toolchainEnv } from './toolchain-env.ts';

const DOWNLOAD_DEADLINE_MS = 240_000;
/** The local repository of the account that runs the tests. */
export const MAVEN_REPOSITORY = join(userInfo().homedir, '.m2/repository');

export interface Dependency {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
  /** `sources` and the like. */
  readonly classifier?: string;
}

export const JUPITER: Dependency = { group: 'org.junit.jupiter', artifact: 'junit-jupiter', version: '5.10.2' };
export const JUNIT4: Dependency = { group: 'junit', artifact: 'junit', version: '4.13.2' };

/** `more`: children of the project element. */
export function pom(artifact: string, dependencies: readonly Dependency[], more = ''): string {
  const listed = dependencies.map(
    ({ group, artifact: name, version, classifier }) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>${classifier === undefined ? '' : `<classifier>${classifier}</classifier>`}<scope>test</scope></dependency>`,
  );
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>job</groupId><artifactId>${artifact}</artifactId><version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    ${listed.join('\n    ')}
  </dependencies>
  <build><pluginManagement><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
  </plugins></pluginManagement></build>
  ${more}
</project>
`;
}

/** The JDK and Maven of this machine, and a repository with what tests need; null where it has none of them and cannot download: its tests are skipped. */
export async function mavenToolchain(
  dependencies: readonly Dependency[] = [JUPITER],
  annotation = '@org.junit.jupiter.api.Test',
): Promise<Toolchain | null> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const env = { ...toolchainEnv(), HOME: userInfo().homedir };
  try {
    fillRepository(env, dependencies, annotation);
    return await findMaven({ projectRoot: '/nowhere', env, caches, onProgress: () => undefined });
  } catch {
    return null;
  }
}

/** Runs a test once with the user's own Maven, which downloads what it needs. A file in the repository says that it has. */
function fillRepository(env: NodeJS.ProcessEnv, dependencies: readonly Dependency[], annotation: string): void {
  const names = dependencies.map(({ artifact, version, classifier = 'jar' }) => `${artifact}-${version}-${classifier}`);
  const sign = join(MAVEN_REPOSITORY, `.downloaded-for-tests-${names.join('_')}`);
  if (existsSync(sign)) return;
  const project = mkdtempSync(join(tmpdir(), 'maven-'));
  try {
    const test = join(project, 'src/test/java/OneTest.java');
    mkdirSync(dirname(test), { recursive: true });
    writeFileSync(join(project, 'pom.xml'), pom('warm', dependencies));
    writeFileSync(test, `public class OneTest { ${annotation} public void one() {} }\n`);
    execFileSync('mvn', ['-q', '-B', 'test'], { cwd: project, env, timeout: DOWNLOAD_DEADLINE_MS, stdio: 'ignore' });
    writeFileSync(sign, '');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
