import type { ProjectPath } from '../../contracts/ids.ts';
import type { ParseSyntax } from '../../contracts/ports/syntax.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { languageOfFile } from '../../lib/syntax/language-of-file.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import type { SourceText } from './findings/finding.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Returns a file as text, or null if it does not exist, is too large or is not text. */
export async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}

/** Returns the first of the paths that contains a text, or null. */
export async function firstReadable(workspace: Workspace, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await textAt(workspace, path)) !== null) return path;
  return null;
}

/**
 * Returns a text with its syntax tree. null if the language of the file is not known, or the text has a syntax error:
 * the tree would then not contain all of the text.
 */
export async function sourceText(parse: ParseSyntax, path: string, text: string): Promise<SourceText | null> {
  const language = languageOfFile(path);
  const tree = language === null ? null : await parse(language, text);
  return tree?.kind === 'parsed' && tree.complete ? { text, root: tree.root } : null;
}
