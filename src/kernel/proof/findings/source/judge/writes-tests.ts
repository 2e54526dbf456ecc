import { nodesOf } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const WRITES =
  /^(?:writeFile|appendFile|rename|rm|unlink|copyFile|symlink)(?:Sync)?$|^(?:open|write_text|write_bytes|remove)$/;
const TEST_PATH =
  /(?:^|[/\\])(?:tests?|__tests__|spec)(?:[/\\]|$)|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|[/\\])test_\w+\.py$|conftest\.py$/;

/** Code that writes where tests are can change what it is judged by. */
export const writesTests: Inspection = {
  kind: 'writes-tests',
  *look(file) {
    for (const node of addedNodes(file)) {
      if (!CALLS.has(node.kind) || !WRITES.test(chainOf(calleeOf(node), file.text).at(-1) ?? '')) continue;
      for (const part of argumentsOf(node).flatMap((argument) => [...nodesOf(argument)])) {
        const path = literalOf(part, file.text);
        if (path !== null && TEST_PATH.test(path)) yield { line: node.line, words: `it writes ${path}` };
      }
    }
  },
};
