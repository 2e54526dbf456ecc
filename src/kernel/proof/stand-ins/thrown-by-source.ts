import { posix } from 'node:path';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import { classifyPath } from '../../policy/index.ts';
import type { Services } from '../../services.ts';
import { importedPaths } from '../kept/imported-files.ts';
import { firstReadable, textAt } from '../read-text.ts';
import { runTests } from '../run/run-tests.ts';
import type { TestSite } from '../run/run-tests.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { SILENT_PYTHON, silentJavascript } from './silent-stand-in.ts';
import { moduleForm } from './stand-ins.ts';
import { textEntry } from '../views/text-entry.ts';

/**
 * Test files that do not load because the project's own source throws, and the run of their cases without that source.
 */
export interface ThrownBySource {
  readonly files: readonly string[];
  readonly run: TestRun;
}

/**
 * Finds test files that do not load because they call a stub that throws "not implemented" outside of a case. Test
 * files that did not load run again, with silent stand-ins for the source that they import. If a file loads then, the
 * source was the reason. Returns null if there is no such file.
 */
export async function thrownBySource(
  services: Services,
  site: TestSite,
  command: TestCommand,
  failed: readonly TestCase[],
  signal: AbortSignal,
): Promise<ThrownBySource | null> {
  const files = [...new Set(failed.map(({ file }) => file))];
  const planted = new Map<string, ViewEntry>();
  for (const file of files) {
    for (const each of await silenced(services, site.workspace, file)) planted.set(each.path, each);
  }
  if (planted.size === 0) return null;
  const overrides = [...(site.overrides ?? []), ...planted.values()];
  const run = await runTests(services, { ...site, overrides }, command, files, signal);
  const broken = new Set(run.cases.filter(isNotLoaded).map(({ file }) => file));
  const loaded = files.filter((file) => !broken.has(file) && run.cases.some((each) => each.file === file));
  return loaded.length === 0 ? null : { files: loaded, run };
}

function isNotLoaded({ failure }: TestCase): boolean {
  return failure?.kind === 'load' || failure?.kind === 'crash';
}

async function silenced(services: Services, workspace: Workspace, file: string): Promise<ViewEntry[]> {
  const language = languageOfFile(file);
  if (language === null || language === 'ruby' || language === 'php') return [];
  const text = await textAt(workspace, file);
  if (text === null) return [];
  const tree = await services.parseSyntax(language, text);
  if (tree.kind !== 'parsed') return [];
  const where = { path: file, language, projectRoot: services.options.project_root };
  const entries: ViewEntry[] = [];
  for (const paths of importedPaths({ root: tree.root, text }, where)) {
    const path = await firstReadable(workspace, paths);
    if (path === null || classifyPath(services.policy(), path).kind !== 'source') continue;
    const isPython = posix.extname(path) === '.py';
    const silent = isPython ? SILENT_PYTHON : silentJavascript(text, await moduleForm(workspace, path, text));
    entries.push(textEntry(path, silent));
  }
  return entries;
}
