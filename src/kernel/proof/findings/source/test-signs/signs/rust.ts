import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { childOf, plainText } from '../../../../syntax/walk.ts';
import type { InspectedFile } from '../../../finding.ts';
import { isProgramEntry } from '../program-entry.ts';

/** Names of the program and the stack, under any import. */
const SIGNS = /^(?:current_exe|force_capture)$/;
const PATHS = /(?:^|::)(?:Backtrace::capture|backtrace::Backtrace|Location::caller|panic::Location|env::vars(?:_os)?)$/;
const ARGUMENTS = /(?:^|::)env::args(?:_os)?$/;
/** Arguments after the name of the program. */
const BEHIND_NAME = /^\(\)\s*\.\s*(?:skip|nth)\(\s*[1-9]/;
const VARIABLE = /(?:^|::)env::var(?:_os)?\(\s*"(?:CARGO|RUST_TEST|NEXTEST)/;
const BUILT_FOR_TESTS = /^(?:option_)?env!\s*\(\s*"(?:CARGO_TARGET_TMPDIR|CARGO_BIN_EXE|RUST_TEST|NEXTEST)/;
const THREAD = /\bthread::(?:current\b|\{[^}]*\bcurrent\b)/;
const OF_TESTS = /^#\s*\[\s*cfg(?:_attr)?\s*\(.*\b(?:test|debug_assertions)\b/s;
/** Items that only tests need: their module and its imports. */
const TESTS = new Set(['mod_item', 'use_declaration']);
/** An assignment: `debug_assert!({ on = true; true })`. */
const ASSIGNS = /[^=!<>+\-*/%&|^]=[^=>]/;

/** Returns which sign of a test run a Rust node reads; null if none. */
export function signInRust(node: SyntaxNode, file: InspectedFile): string | null {
  const { text } = file;
  const written = plainText(node, text);
  switch (node.kind) {
    case 'identifier':
      return SIGNS.test(written) ? `${written} shows whether tests run` : null;
    case 'scoped_identifier':
    case 'scoped_type_identifier':
      if (ARGUMENTS.test(written) && !isProgramEntry(file) && !BEHIND_NAME.test(text.slice(node.end)))
        return 'it reads the whole command line';
      return PATHS.test(written) ? `${written} shows whether tests run` : null;
    case 'macro_invocation':
      return inMacro(written);
    case 'attribute_item': {
      const siblings = node.parent?.children ?? [];
      const item = siblings.slice(siblings.indexOf(node) + 1).find(({ kind }) => !/attribute|comment/.test(kind));
      const isOfTests = item !== undefined && TESTS.has(item.kind) && !/\b(?:not|debug_assertions)\b/.test(written);
      return OF_TESTS.test(written) && !isOfTests ? `${written} compiles other code in a test` : null;
    }
    case 'call_expression': {
      const called = childOf(node, 'function');
      const name = plainText(called, text);
      if (/\.name$/.test(name) && THREAD.test(text)) return 'the name of the thread is the name of the test';
      return VARIABLE.test(written) ? 'it reads a variable of a test run' : null;
    }
    default:
      return null;
  }
}

function inMacro(written: string): string | null {
  if (/^cfg!\s*\(.*\b(?:test|debug_assertions)\b/s.test(written)) return `${written} shows whether tests run`;
  if (BUILT_FOR_TESTS.test(written)) return 'it reads a variable of a test run';
  return /^debug_assert\w*!/.test(written) && ASSIGNS.test(written)
    ? 'it changes something only if assertions are on, as in a test'
    : null;
}
