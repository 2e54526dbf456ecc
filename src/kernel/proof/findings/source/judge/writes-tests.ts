import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, lastName, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const WRITES =
  /write|append|rename|^rm|remove|unlink|delete|copy|^cp|^mv|move|link|truncate|touch|open|exec|spawn|^system$|^popen$|^ofstream$|^FileWriter$|put_contents|^os\.replace$/i;
const TEST_PATH =
  /(?:^|[/\\])(?:tests?|__tests__|spec)(?:[/\\]|$)|\s(?:tests?|__tests__|spec)[/\\]|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|[/\\])test_\w+\.py$|conftest\.py$/;
/**
 * Calls that always write files. Other objects have methods of the same names: `searchParams.append('test', …)`,
 * `router.delete('/tests/:id')`.
 */
const OF_FILES =
  /^(?:fs\w*|os|shutil|syscall|io(?:util)?|ioutil|Deno|Bun|Files?|FileUtils|Dir|IO|std\.(?:fs|filesystem))\.|(?:^|\.)(?:open|rm|rmdir|rmtree|unlink|rename|cp|mv|symlink|\w+Sync|\w*[fF]ile\w*)$/;

/** Code that writes to places of tests. It could change the tests that judge it. */
export const writesTests: Inspection = {
  kind: 'writes-tests',
  *look(file) {
    for (const node of addedNodes(file)) {
      if (!CALLS.has(node.kind) || !writes(node, file.text)) continue;
      const isOfFiles = OF_FILES.test(chainOf(node, file.text).join('.'));
      for (const part of pathsOf(node, file.text).flatMap((each) => [...nodesOf(each)])) {
        const path = literalOf(part, file.text);
        if (path !== null && TEST_PATH.test(path) && (isOfFiles || isRelativePath(path)))
          yield { line: node.line, words: `it writes ${path}` };
      }
    }
  },
};

/** Whether a text is a relative path, and not a single word or a URL path that begins with a slash. */
function isRelativePath(path: string): boolean {
  return /^[^/].*[/\\.]/.test(path);
}

function writes(call: SyntaxNode, text: string): boolean {
  const chain = chainOf(call, text);
  return WRITES.test(lastText(chain)) || WRITES.test(chain.join('.'));
}

const WRITES_CONTENT = /^write_(?:text|bytes)$/;
/** Temporary directories. No run keeps them. */
const TEMPORARY = /te?mp/i;

/** The paths that a call writes to. For `Path(…).write_text(…)` it is the path that the method is called on. */
function pathsOf(call: SyntaxNode, text: string): SyntaxNode[] {
  const callee = calleeOf(call);
  const isCalledOnPath = WRITES_CONTENT.test(lastName(callee, text));
  const paths = isCalledOnPath ? (callee === null ? [] : [callee]) : argumentsOf(call).slice(0, 2);
  return paths.filter((each) => !TEMPORARY.test(plainText(each, text)));
}
