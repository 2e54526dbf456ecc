import { posix } from 'node:path';
import { languageOfFile } from '../../../../../lib/syntax/language-of-file.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection } from '../../finding.ts';
import { callsIn, chainOf } from '../../names.ts';
import { constantValues } from './constant-values.ts';
import { pathsNamedBy } from './loads-tests.ts';

const READS = /^(?:read\w*|open\w*|createReadStream|load\w*|file|fetch)$/;

/**
 * A source that reads a document which the change writes. The document may contain expected values of tests, and it is
 * not examined or mutated.
 */
export const loadsDocuments: Inspection = {
  kind: 'loads-document',
  *look(file, { sourcePaths }) {
    const documents = sourcePaths.filter((path) => languageOfFile(path) === null);
    const isReading = callsIn(file.root).some((call) => READS.test(chainOf(call, file.text).at(-1) ?? ''));
    if (documents.length === 0 || !isReading) return;
    const known = constantValues(file);
    const seen = new Set<string>();
    for (const node of addedNodes(file)) {
      for (const path of pathsNamedBy(node, file, known)) {
        const found = documents.find((each) => posix.basename(each) === posix.basename(path));
        if (found === undefined || seen.has(found)) continue;
        seen.add(found);
        yield { line: node.line, words: `it reads ${found}, which the change writes and nothing examines` };
      }
    }
  },
};
