import { posix } from 'node:path';
import type { ProjectPath } from '../../../contracts/ids.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import type { SessionContext } from '../../services.ts';
import type { ChangedText, HelperText } from '../findings/inspect-change.ts';
import { basesOf } from '../findings/tests/languages/php-bases.ts';
import { importedPaths } from '../kept/imported-files.ts';
import { firstReadable, sourceText, textAt } from '../read-text.ts';

const MAX_FILES = 20;

/** Returns unchanged test files that changed tests import. A case may assert by a function of such a file. */
export async function loadedHelpers(
  { services, workspace }: Pick<SessionContext, 'services' | 'workspace'>,
  texts: readonly ChangedText[],
  isTest: (path: string) => boolean,
): Promise<HelperText[]> {
  const changed = new Set(texts.map(({ path }) => path));
  const found = new Map<string, string>();
  for (const { path, after } of texts.filter(({ role }) => role === 'test')) {
    for (const loaded of await pathsLoaded(path, after)) {
      if (found.size === MAX_FILES) break;
      if (changed.has(loaded) || found.has(loaded) || !isTest(loaded)) continue;
      const text = await textAt(workspace, loaded);
      if (text !== null) found.set(loaded, text);
    }
  }
  return [...found].map(([path, text]) => ({ path, text }));

  async function pathsLoaded(path: string, text: string): Promise<readonly string[]> {
    const language = languageOfFile(path);
    if (language === 'go') return testsBeside(path);
    const source = language === null ? null : await sourceText(services.parseSyntax, path, text);
    if (language === null || source === null) return [];
    if (language === 'php') return filesOfClasses(basesOf(source));
    const imports = importedPaths(source, { path, language, projectRoot: services.options.project_root });
    const there = await Promise.all(imports.map((paths) => firstReadable(workspace, paths)));
    return there.filter((each) => each !== null);
  }

  /** A class of PHP is in a file of its name, which is loaded when the class is used. */
  async function filesOfClasses(names: readonly string[]): Promise<readonly string[]> {
    const found = names.map((name) => workspace.glob(`**/${name}.php`, '' as ProjectPath, MAX_FILES));
    return (await Promise.all(found)).flatMap(({ paths }) => paths);
  }

  /** In Go, all test files of a package share their functions. */
  async function testsBeside(path: string): Promise<readonly string[]> {
    const directory = posix.dirname(path);
    const { paths } = await workspace.glob('*_test.go', (directory === '.' ? '' : directory) as ProjectPath, MAX_FILES);
    return paths;
  }
}
