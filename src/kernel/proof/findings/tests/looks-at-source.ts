import { nodesOf } from '../../syntax/walk.ts';
import type { Inspection } from '../finding.ts';
import { argumentsOf, CALLS, chainOf, literalOf } from '../names.ts';

const READS =
  /^(?:existsSync|exists|access|accessSync|stat|statSync|readFile|readFileSync|readTextFile|readTextFileSync|file|isfile|is_file|open|read_text|Path)$/;

/** A test that asks for a source as a file is content with a file: what it does is not asked. */
export const looksAtSource: Inspection = {
  kind: 'looks-at-source',
  *look({ root, text }, { sourcePaths }) {
    for (const call of nodesOf(root)) {
      if (!CALLS.has(call.kind) || !READS.test(chainOf(call, text).at(-1) ?? '')) continue;
      for (const part of argumentsOf(call).flatMap((each) => [...nodesOf(each)])) {
        const path = literalOf(part, text)?.replace(/^(?:\.{1,2}\/)+/, '');
        if (path !== undefined && sourcePaths.some((source) => source === path)) {
          yield { line: call.line, words: `${path} is read as a file, not run` };
        }
      }
    }
  },
};
