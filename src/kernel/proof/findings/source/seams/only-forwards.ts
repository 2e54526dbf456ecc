import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { nodesOf } from '../../../syntax/walk.ts';
import type { InspectedChange, InspectedFile, Inspection, Place, SourceText } from '../../finding.ts';
import { calleeOf, CALLS, literalOf } from '../../names.ts';
import { holdsWork } from '../../tests/replaced/has-work.ts';
import { dispatchesIn, listenersIn, listensTo } from './dispatches.ts';
import { emptySeams } from './empty-seams.ts';
import type { Seam } from './empty-seams.ts';
import { settersOf } from './fillers.ts';
import { forwarders } from './forwarders.ts';
import { calledParts, nameOf, namesIn } from './syntax.ts';
import { undeclaredMembers } from './undeclared-members.ts';

/**
 * A new function that only calls the function in a variable, static field or table that the change leaves empty and
 * that only tests fill. So the tests do its work. All of these conditions must hold:
 * - The seam is new and empty: null, no entry, or a function that only fails or returns nothing. A method of its own
 *   object that no changed source has is empty too.
 * - No changed source fills the seam. A setter that stores its argument there does not count if no source calls it.
 * - Its name does not say that it forwards (`dispatch`).
 * - The function only checks and calls. Its arguments do not select the called function: `call(name, …)` of a registry
 *   is real work, and so is a loop over handlers.
 * - A changed test names the seam or one of its setters, and uses the result of the function. A hook whose result is
 *   unused is not reported.
 */
export const onlyForwards: Inspection = {
  kind: 'only-forwards',
  *look(file, change) {
    const sources = change.sources.filter((each) => isSameFamily(each, file));
    const tests = change.tests.filter((each) => isSameFamily(each, file));
    yield* dispatched(file, sources, tests);
    const seams = [...sources.flatMap(emptySeams), ...undeclaredMembers(file, sources)];
    if (seams.length === 0) return;
    for (const { name, line, seam } of forwarders(file, seams)) {
      if (FORWARDS.test(name)) continue;
      const setters = settersOf(seam, sources);
      if (setters === null || setters.has(name) || !isFilledBy(tests, seam, setters)) continue;
      if (tests.some((test) => usesResult(name, test)))
        yield {
          line,
          words: `${name} only calls ${seam.name}, which is empty in the source and which only tests fill`,
        };
    }
  },
};

/** Names of functions whose whole task is to forward. */
const FORWARDS =
  /^(?:dispatch|emit|notify|publish|trigger|fire|forward|delegate|invoke|broadcast)_?(?:event|message|action|command|request)?!?$/i;

/** Functions whose result is only what a listener of the test writes into an object or gives to a callback. */
function* dispatched(
  file: InspectedFile,
  sources: readonly InspectedFile[],
  tests: readonly InspectedFile[],
): Generator<Place> {
  for (const dispatch of dispatchesIn(file)) {
    const { name, line } = dispatch;
    if (sources.some((each) => listensTo(dispatch, each)) || !tests.some((test) => usesResult(name, test))) continue;
    if (tests.some((test) => holdsWork(listenersIn(test), test, tests)))
      yield { line, words: `${name} only returns what listeners write, and only tests listen` };
  }
}

const JAVASCRIPT = /^(?:javascript|typescript|tsx)$/;

function isSameFamily(one: InspectedFile, other: InspectedFile): boolean {
  return one.language === other.language || (JAVASCRIPT.test(one.language) && JAVASCRIPT.test(other.language));
}

/** Whether tests name the seam or a setter, also in a text: `setattr(mul, 'engine', …)`. */
function isFilledBy(tests: InspectedChange['tests'], seam: Seam, setters: ReadonlySet<string>): boolean {
  const names = new Set([seam.name, ...setters]);
  return tests.some(({ root, text, isAdded }) =>
    [...nodesOf(root)].some(
      (node) =>
        isAdded(node) &&
        (names.has(nameOf(node, text) ?? '') || names.has(textIn(node, text))) &&
        !(seam.kind === 'method' && isCalled(node)),
    ),
  );
}

/** Whether a test only calls the method, as in `post.update!(title: 'a')`. */
function isCalled(name: SyntaxNode): boolean {
  const { parent, field } = name;
  if (parent === null) return false;
  const callee = /^(?:property|attribute|name)$/.test(field ?? '') && !CALLS.has(parent.kind) ? parent : name;
  const call = callee.parent;
  return (
    call !== null &&
    CALLS.has(call.kind) &&
    calleeOf(call)?.start === callee.start &&
    calleeOf(call)?.end === callee.end
  );
}

function textIn(node: SyntaxNode, text: string): string {
  return /string/.test(node.kind) ? (literalOf(node, text)?.split('.').at(-1) ?? '') : '';
}

function usesResult(name: string, { root, text }: SourceText): boolean {
  return [...nodesOf(root)].some((node) => {
    // Arguments of a Rust macro are not parsed.
    if (nameOf(node, text) === name && node.parent?.kind === 'token_tree') return true;
    if (!CALLS.has(node.kind)) return false;
    const called = calledParts(node).flatMap((each) => namesIn(each, text));
    const last = /^(?:call|apply)$/.test(lastText(called)) ? called.at(-2) : called.at(-1);
    return last === name && !isStatement(node);
  });
}

function isStatement({ parent }: SyntaxNode): boolean {
  if (parent === null) return true;
  if (/^await/.test(parent.kind)) return isStatement(parent);
  return /^(?:expression_statement|statement_list|body_statement|block_body|program|do_block|block)$/.test(parent.kind);
}
