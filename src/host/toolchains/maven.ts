import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readlink, realpath, writeFile } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { homeOf } from '../../contracts/host-layout.ts';
import { madeOnce } from './made-once.ts';
import { exists, isBelow, settingsText } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

/** A JDK and a Maven must have directories of their own; these directories are the whole system. */
const SYSTEM = new Set(['/', '/usr', '/usr/local', '/etc', '/opt', '/home']);
const USUAL_MAVENS = ['/usr/share/maven', '/opt/maven', '/usr/local/maven'];
const PARTS = ['bin', 'boot', 'conf', 'lib'];

/**
 * The host's JDK and Maven: from JAVA_HOME and PATH, never from the project. Sandboxes see a copy of Maven, whose settings only say that it is
 * offline and where the user's local repository is, because the user's own settings may contain passwords. null if there is none.
 */
export async function findMaven(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env, caches, onProgress } = options;
  const searched = (env['PATH'] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const named = (...names: readonly string[]) =>
    names.flatMap((name) => env[name] ?? []).filter((path) => isAbsolute(path));
  const java = await firstHome(
    [...named('JAVA_HOME'), ...(await homesOf('javac', searched))],
    'bin/javac',
    projectRoot,
  );
  const mavens = [...named('MAVEN_HOME', 'M2_HOME'), ...(await homesOf('mvn', searched)), ...USUAL_MAVENS];
  const maven = await firstHome(mavens, 'bin/m2.conf', projectRoot);
  if (java === null || maven === null) return null;
  const repository = await localRepository(options);
  if (repository === null)
    onProgress(
      'Maven has no local repository yet: run the tests of the project once by hand (mvn test), so that it downloads what they need',
    );
  const copy = await mavenCopy(maven, repository, { caches, onProgress });
  return {
    forTests: {
      name: 'maven',
      path: [join(java, 'bin'), join(copy, 'bin')],
      env: { JAVA_HOME: java, MAVEN_HOME: copy, MAVEN_SKIP_RC: '1', MAVEN_OPTS: MAVEN_OPTIONS },
    },
    mounts: [java, ...(await linkedDirectories(java)), copy, ...(repository === null ? [] : [repository])],
  };
}

/**
 * Starts fast on one processor; accepts the local repository, whichever mirror of the user's settings filled it. Code that is compiled only once needs more
 * of the stack, and javac much of it for a long chain of calls.
 */
const MAVEN_OPTIONS =
  '-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss8m -Duser.home=/tmp -Daether.enhancedLocalRepository.trackingFilename=none';

/** Home directories of the programs of this name, with links followed. */
async function homesOf(program: string, searched: readonly string[]): Promise<string[]> {
  const found = await Promise.all(searched.map((directory) => realpath(join(directory, program)).catch(() => null)));
  return found.flatMap((path) => (path === null ? [] : [dirname(dirname(path))]));
}

async function firstHome(homes: readonly string[], sign: string, projectRoot: string): Promise<string | null> {
  for (const home of homes) {
    const real = await realpath(home).catch(() => null);
    if (real === null || SYSTEM.has(real) || isBelow(real, projectRoot)) continue;
    if (await exists(join(real, sign))) return real;
  }
  return null;
}

/** Where the user's Maven stores downloads; never in the project. */
async function localRepository({ env, projectRoot }: ToolchainOptions): Promise<string | null> {
  const home = homeOf(env);
  const settings = (await settingsText(join(home, '.m2/settings.xml'))) ?? '';
  const named = /<localRepository>\s*([^<\s][^<]*?)\s*<\/localRepository>/
    .exec(settings)?.[1]
    ?.replace('${user.home}', home);
  const real = await realpath(named ?? join(home, '.m2/repository')).catch(() => null);
  return real === null || isBelow(real, projectRoot) || isBelow(projectRoot, real) ? null : real;
}

async function mavenCopy(
  maven: string,
  repository: string | null,
  { caches, onProgress }: Pick<ToolchainOptions, 'caches' | 'onProgress'>,
): Promise<string> {
  await makeDirectories(caches, 0o755);
  const libraries = await Promise.all(
    (await readdir(join(maven, 'lib'))).map((name) => realpath(join(maven, 'lib', name)).catch(() => name)),
  );
  const settings = settingsWith(repository);
  const hash = createHash('sha256')
    .update([maven, ...libraries.sort(), settings].join('\n'))
    .digest('hex')
    .slice(0, 16);
  return madeOnce(
    join(await realpath(caches), `maven-${hash}`),
    { making: "copying this machine's Maven, once", waiting: 'waiting for Maven' },
    onProgress,
    async (made) => {
      for (const part of PARTS)
        if (await exists(join(maven, part)))
          await cp(join(maven, part), join(made, part), {
            recursive: true,
            dereference: true,
            filter: (path) => exists(path),
          });
      await mkdir(join(made, 'conf'), { recursive: true });
      await writeFile(join(made, 'conf/settings.xml'), settings);
    },
  );
}

function settingsWith(repository: string | null): string {
  const place = repository === null ? '' : `<localRepository>${escapeXml(repository)}</localRepository>`;
  return `<settings>${place}<offline>true</offline><interactiveMode>false</interactiveMode></settings>\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A distribution keeps the settings of its JDK in /etc: the directories to which its links lead. */
async function linkedDirectories(java: string): Promise<string[]> {
  const found = new Set<string>();
  for (const part of ['conf', 'lib/security', 'lib']) {
    const entries = await readdir(join(java, part), { withFileTypes: true, recursive: part === 'conf' }).catch(
      () => [],
    );
    for (const entry of entries.filter((each) => each.isSymbolicLink() && !each.name.endsWith('.so'))) {
      const target = await readlink(join(entry.parentPath, entry.name));
      const real = isAbsolute(target) ? await realpath(target).catch(() => null) : null;
      if (real !== null && !isBelow(real, java) && !SYSTEM.has(dirname(real))) found.add(dirname(real));
    }
  }
  return [...found].filter((path) => ![...found].some((other) => other !== path && isBelow(path, other))).sort();
}
