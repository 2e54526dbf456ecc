import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { callsIn, lastName, literalsIn } from '../../names.ts';
import { constantValues } from './constant-values.ts';
import { isPlainDocument } from './plain-documents.ts';
import { pathsNamedBy } from './loads-tests.ts';

const READS = /^(?:read\w*|open\w*|createReadStream|load\w*|file|fetch)$/;

/**
 * A source that reads a document which the change writes. The document may contain expected values of tests, and it is
 * not examined or mutated.
 */
export const loadsDocuments: Inspection = {
  kind: 'loads-document',
  *look(file, change) {
    const documents = change.documents.filter((each) => !isPlainDocument(each, change)).map(({ path }) => path);
    const isReading = callsIn(file.root).some((call) => READS.test(lastName(call, file.text)));
    if (documents.length === 0 || !isReading) return;
    const known = constantValues(file);
    const seen = new Set<string>();
    const beside = documents.find((path) => isNamedByEnding(path, file));
    for (const node of addedNodes(file)) {
      if (beside !== undefined && !seen.has(beside) && isOwnPlace(node, file.text)) {
        seen.add(beside);
        yield { line: node.line, words: `it can read ${beside}, which the change writes and nothing examines` };
      }
      for (const path of pathsNamedBy(node, file, known)) {
        const found = documents.find((each) => posix.basename(each) === posix.basename(path));
        if (found === undefined || seen.has(found)) continue;
        seen.add(found);
        yield { line: node.line, words: `it reads ${found}, which the change writes and nothing examines` };
      }
    }
  },
};

/** Finds a path that is computed from the place of the source: only the ending of the document is written there. */
function isNamedByEnding(path: string, { root, text }: InspectedFile): boolean {
  const ending = posix.extname(path).slice(1);
  return ending !== '' && [...literalsIn(root, text)].some((each) => each === ending || each.endsWith(`.${ending}`));
}

function isOwnPlace(node: SyntaxNode, text: string): boolean {
  const isName = node.kind === 'identifier' && /^(?:__file__|__dirname|__filename)$/.test(plainText(node, text));
  return isName || (node.kind === 'member_expression' && /^import\.meta\.\w+$/.test(plainText(node, text)));
}
