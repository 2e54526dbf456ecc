import type { SyntaxLanguage, SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { addedNodes } from '../../added-nodes.ts';
import { signInGo } from './signs/go.ts';
import { signInJava } from './signs/java.ts';
import { signInRust } from './signs/rust.ts';

/** Of a node that the change adds: what it asks, or null. */
const LANGUAGES: ReadonlyMap<SyntaxLanguage, (node: SyntaxNode, file: InspectedFile) => string | null> = new Map([
  ['go', signInGo],
  ['rust', signInRust],
  ['java', signInJava],
]);

/** The same question in Go, Rust and Java: which program this is, who calls, and code that is another one in a test. */
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
