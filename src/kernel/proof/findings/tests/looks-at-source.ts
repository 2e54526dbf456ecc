import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { nodesOf, plainText } from '../../syntax/walk.ts';
import type { Inspection } from '../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, literalOf } from '../names.ts';

const READS =
  /^(?:(?:assert)?(?:path|file|files|is)?_?exists?(?:sync)?\??|assertFileExists|(?:f?access|l?stat|read_?(?:text_?)?(?:file|lines|link|to_string|string|all_?(?:bytes|lines))?|fopen|open)(?:sync)?|is_?(?:regular_?)?file|file\??|read_text|path|new|file_get_contents|metadata|include_(?:str|bytes)|ifstream|size|readable\?)$/i;

/** A test that reads a source as a file. It passes if the file exists, whatever the source does. */
export const looksAtSource: Inspection = {
  kind: 'looks-at-source',
  *look({ root, text }, { sourcePaths }) {
    for (const call of nodesOf(root)) {
      if (!CALLS.has(call.kind) || !asksForFile(call, text)) continue;
      const path = pathsIn(call, text).find((each) => sourcePaths.includes(each));
      if (path !== undefined) yield { line: call.line, words: `${path} is read as a file, not run` };
    }
  },
};

/** Whether a call reads a file. In a Rust macro, only the names of calls can be seen. */
function asksForFile(call: SyntaxNode, text: string): boolean {
  const names =
    call.kind === 'macro_invocation'
      ? [...nodesOf(call)].filter(({ kind }) => kind === 'identifier').map((each) => plainText(each, text))
      : chainOf(call, text).slice(-1);
  return names.some((name) => READS.test(name) && (call.kind !== 'macro_invocation' || name !== 'new'));
}

/**
 * The texts in the arguments of a call, and all of them joined to a path: `File.join(ROOT, 'lib', 'a.rb')` gives
 * `lib/a.rb`.
 */
function pathsIn(call: SyntaxNode, text: string): string[] {
  const called = calleeOf(call);
  const given = call.kind === 'macro_invocation' ? call.children.filter((each) => each !== called) : argumentsOf(call);
  const texts = given.flatMap((each) => [...nodesOf(each)]).flatMap((each) => literalOf(each, text) ?? []);
  const plain = [...texts, texts.join('/'), texts.join('')];
  return plain.map((each) => each.replace(/^(?:\.{0,2}\/)+/, ''));
}
