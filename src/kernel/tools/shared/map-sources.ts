import type { ProjectPath } from '../../../contracts/ids.ts';
import { mapText } from '../../../lib/repo-map/map-text.ts';
import { rankDefinitions } from '../../../lib/repo-map/rank-definitions.ts';
import { tagsOf } from '../../../lib/repo-map/tags.ts';
import type { FileTags } from '../../../lib/repo-map/tags.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import type { ReadScope } from '../tool-context.ts';

const MAX_FILE_BYTES = 256 * 1024;

interface MapWish {
  /** Files, directories or names that come first. */
  readonly focus: readonly string[];
  readonly maxCharacters: number;
  /** Files made to be slow must not keep the kernel busy: the parser gives up each after two seconds. */
  readonly maxUnusable: number;
}

/** The sources among these paths that the model may read. */
export function sourcesOf({ readable }: Pick<ReadScope, 'readable'>, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => languageOfFile(path) !== null && readable(path));
}

/**
 * The definitions that the rest of the project uses most; '' if there are none. `files` counts the files that could be
 * parsed.
 */
export async function mapSources(
  scope: ReadScope,
  sources: readonly string[],
  { focus, maxCharacters, maxUnusable }: MapWish,
): Promise<{ readonly text: string; readonly files: number }> {
  const files: FileTags[] = [];
  let unusable = 0;
  for (const path of sources) {
    scope.signal.throwIfAborted();
    const tags = await tagsOfFile(scope, path);
    if (tags !== null) files.push(tags);
    else unusable += 1;
    if (unusable > maxUnusable) break;
  }
  return { text: mapText(rankDefinitions(files, focus), maxCharacters), files: files.length };
}

/** null if the file cannot be read or parsed. */
async function tagsOfFile({ workspace, parse }: ReadScope, path: string): Promise<FileTags | null> {
  const language = languageOfFile(path);
  const read = await workspace.read(path as ProjectPath, MAX_FILE_BYTES);
  if (language === null || read.kind !== 'file') return null;
  const text = read.bytes.toString('utf8');
  const parsed = await parse(language, text);
  return parsed.kind === 'parsed' ? tagsOf(path, parsed.root, text) : null;
}
