import type { SyntaxLanguage, SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { addedNodes } from '../../added-nodes.ts';
import { signInGo } from './signs/go.ts';
import { signInJava } from './signs/java.ts';
import { signInRust } from './signs/rust.ts';

/** For each language, a function that describes the sign of a test run in an added node, or returns null. */
const LANGUAGES: ReadonlyMap<SyntaxLanguage, (node: SyntaxNode, file: InspectedFile) => string | null> = new Map([
  ['go', signInGo],
  ['rust', signInRust],
  ['java', signInJava],
]);

/**
 * Signs of a test run in Go, Rust and Java: the name of the program, the callers, and code that is compiled only for
 * tests.
 */
export const asksCompiled: Inspection = {
  kind: 'asks-if-tested',
  *look(file) {
    const asked = LANGUAGES.get(file.language);
    if (asked === undefined) return;
    for (const node of addedNodes(file)) {
      const words = asked(node, file);
      if (words !== null) yield { line: node.line, words };
    }
  },
};
