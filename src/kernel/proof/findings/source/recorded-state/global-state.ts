import { childOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { chainOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const GLOBAL = /^(?:globalThis|global)$/;
const WRITES = new Set(['assignment_expression', 'augmented_assignment_expression', 'update_expression']);
/** Globals of the runtime, and globals that programs test for because a runtime may not have them. */
const KNOWN =
  /^(?:[A-Z]+\w*[a-z]\w*|URL|JSON|CSS|matchMedia|getComputedStyle|customElements|history|screen|indexedDB|visualViewport|devicePixelRatio|inner(?:Width|Height)|fetch|crypto|performance|process|console|document|window|navigator|location|localStorage|sessionStorage|queueMicrotask|structuredClone|atob|btoa|gc|(?:set|clear)(?:Timeout|Interval|Immediate)|requestAnimationFrame|cancelAnimationFrame|requestIdleCallback|caches|self|origin|__dirname|__filename|require|module)$/;

/**
 * A global property that any file can set, including a test. The test can pass expected values to the source through
 * it, or read its state.
 */
export const globalState: Inspection = {
  kind: 'uses-globals',
  *look(file) {
    const { text } = file;
    for (const node of addedNodes(file)) {
      if (node.kind !== 'member_expression' && node.kind !== 'subscript_expression') continue;
      const object = childOf(node, 'object');
      if (!GLOBAL.test(plainText(object, text))) continue;
      const [, name = ''] = chainOf(node, text);
      const isWritten = node.parent !== null && WRITES.has(node.parent.kind) && node.field !== 'right';
      if (isWritten) yield { line: node.line, words: `it writes the global ${plainText(node, text)}` };
      else if (!KNOWN.test(name)) yield { line: node.line, words: `it reads the global ${plainText(node, text)}` };
    }
  },
};
