import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';
import { isProgramEntry, isUnderMain } from '../test-signs/program-entry.ts';

const ENDS =
  /^(?:process\.(?:exit|reallyExit|abort)|Deno\.exit|os\.(?:_exit|abort|execv\w*)|sys\.exit|quit|exit|(?:Kernel\.)?(?:exit!?|abort|at_exit|exec)|Process\.(?:exit!?|abort|kill|exec))$/;
const KILLS = /^(?:process|os|Deno)\.kill$/;

/** What ends the process, or sets how it ends, takes the verdict from its runner. */
export const endsProcess: Inspection = {
  kind: 'ends-process',
  *look(file) {
    if (isProgramEntry(file)) return;
    for (const node of addedNodes(file)) {
      if (CALLS.has(node.kind) && endsByCall(node, file.text) && !isUnderMain(node, file.text)) {
        yield { line: node.line, words: `${plainText(calleeOf(node) ?? node, file.text)} ends the process` };
      }
      if (isExitOfRuby(node, file.text))
        yield { line: node.line, words: `${plainText(node, file.text)} ends the process` };
      const left = node.kind === 'assignment_expression' ? childOf(node, 'left') : null;
      if (left !== null && /^(?:process|Deno)\.exitCode$/.test(plainText(left, file.text))) {
        yield { line: node.line, words: 'it sets the exit code' };
      }
    }
  },
};

/** `exit` has no brackets where nothing is given. */
function isExitOfRuby(node: SyntaxNode, text: string): boolean {
  const isAlone =
    node.kind === 'identifier' &&
    /_statement$|^(?:then|else|program)$|_modifier$|^block_body$/.test(node.parent?.kind ?? '');
  return isAlone && /^(?:exit!?|abort)$/.test(plainText(node, text));
}

function endsByCall(call: SyntaxNode, text: string): boolean {
  const name = chainOf(call, text).join('.');
  const [target] = argumentsOf(call);
  return (
    ENDS.test(name) ||
    (KILLS.test(name) &&
      target !== undefined &&
      /^(?:(?:process|Deno)\.p?pid|os\.getp?pid)/.test(plainText(target, text)))
  );
}
