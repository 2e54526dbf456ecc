import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, kindOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, chainOf, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const CALLERS =
  /^(?:(?:Kernel\.)?caller(?:_locations)?|(?:Thread\.current\.)?backtrace(?:_locations)?|binding|set_trace_func)$/;
const LOOKS = /^(?:ObjectSpace|TracePoint|RubyVM|Minitest|RSpec|Test|Bundler|Coverage|SimpleCov)$/;
const GLOBALS = /^(?:\$0|\$PROGRAM_NAME|\$LOADED_FEATURES|\$"|\$\*|ARGV)$/;
const SIGNS =
  /^(?:RAILS_ENV|RACK_ENV|CI|TEST\w*|MT_\w+|RSPEC\w*|MINITEST\w*|RUBYOPT|RUBYLIB|HOSTNAME|TMPDIR|container)$/;
const PRINTS = /^(?:join|first|take|inspect|to_s|compact)$/;
const SEARCHES = /\?$|match|index|scan|grep|slice/;
const NAMES = /^(?:Minitest|RSpec|Test::Unit)/;

/** Ruby source that reads its callers, existing objects, or whether a test runner is loaded. */
export const asksRuby: Inspection = {
  kind: 'asks-if-tested',
  *look(file) {
    if (file.language !== 'ruby') return;
    for (const node of addedNodes(file)) {
      const words = askedBy(node, file.text);
      if (words !== null) yield { line: node.line, words };
    }
  },
};

function askedBy(node: SyntaxNode, text: string): string | null {
  const written = plainText(node, text);
  switch (node.kind) {
    case 'identifier':
      return node.field !== 'name' && CALLERS.test(written) && !isShown(node, text)
        ? `${written} shows who calls`
        : null;
    case 'constant':
      return (LOOKS.test(written) || written === 'ARGV') && node.field !== 'name' ? `it names ${written}` : null;
    case 'global_variable':
      return GLOBALS.test(written) ? `it reads ${written}` : null;
    case 'string':
    case 'simple_symbol': {
      const value = literalOf(node, text) ?? written.slice(1);
      return NAMES.test(value) ? `it names ${value}` : null;
    }
    case 'element_reference':
      return variable(written);
    case 'call': {
      const name = chainOf(node, text).join('.');
      const [first] = argumentsOf(node);
      if (CALLERS.test(name)) return `${name} shows who calls`;
      return name === 'ENV.fetch' && first !== undefined ? variable(`ENV[${plainText(first, text)}]`) : null;
    }
    default:
      return null;
  }
}

/** `log.error(e.backtrace.join("\\n"))`: the backtrace of an error is given on and not searched. */
function isShown(method: SyntaxNode, text: string): boolean {
  let shown = method.parent;
  if (!/^backtrace/.test(plainText(method, text)) || childOf(shown, 'receiver') === null) return false;
  while (shown?.field === 'receiver' && PRINTS.test(plainText(childOf(shown.parent, 'method'), text)))
    shown = shown.parent;
  if (!/^(?:argument_list|interpolation|pair|array)$/.test(kindOf(shown?.parent))) return false;
  const call = above(method, ({ kind, start }) => kind === 'call' && start < (shown?.start ?? 0));
  return !SEARCHES.test(plainText(childOf(call, 'method'), text));
}

function variable(written: string): string | null {
  const key = /^ENV\[["'](\w+)["']\]/.exec(written)?.[1];
  return key !== undefined && SIGNS.test(key) ? `it reads ${key}` : null;
}
