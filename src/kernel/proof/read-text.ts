import type { ProjectPath } from '../../contracts/ids.ts';
import type { ParseSyntax } from '../../contracts/ports/syntax.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { languageOfFile } from '../../lib/syntax/language-of-file.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import type { SourceText } from './findings/finding.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** A file as text; null where it is not there, too large or no text. */
export async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}

/** The first of some paths at which there is a text. */
export async function firstReadable(workspace: Workspace, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await textAt(workspace, path)) !== null) return path;
  return null;
}

/** A text with its syntax tree; null where the language of its file is not known, and for a syntax error: below one the tree leaves parts of the text out. */
export async function sourceText(parse: ParseSyntax, path: string, text: string): Promise<SourceText | null> {
  const language = languageOfFile(path);
  const tree = language === null ? null : await parse(language, text);
  return tree?.kind === 'parsed' && tree.complete ? { text, root: tree.root } : null;
}
