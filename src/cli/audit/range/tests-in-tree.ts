import type { ObjectId } from '../../../contracts/ids.ts';
import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { hashOfTests } from '../../../kernel/proof/in-source/source-parts.ts';
import { sourceParts } from '../../../kernel/proof/in-source/staged-work.ts';
import type { Objects } from '../../../kernel/repository/commit-diff.ts';
import { bytesInTree } from '../../../kernel/repository/state-in-tree.ts';

/** The hash of the tests inside a source file of a tree; null if there is no such file, or if its tests cannot be read. */
export async function hashOfTestsInTree(
  objects: Objects,
  parse: ParseSyntax,
  tree: ObjectId,
  path: string,
): Promise<string | null> {
  const bytes = await bytesInTree(objects, tree, path);
  const text = bytes === null ? null : decodeUtf8(bytes);
  const parts = text === null ? null : await sourceParts(parse, path, text);
  return parts === null ? null : hashOfTests(parts);
}
