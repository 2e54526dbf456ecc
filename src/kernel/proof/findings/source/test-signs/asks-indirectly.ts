import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../../../lib/text/first-last.ts';
import { childOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, FUNCTIONS, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const SEARCHES = /^(?:includes|match|matchAll|test|exec|search|split|indexOf|startsWith|endsWith|some|every|find)$/;
const ENUMERATES = /^(?:Object\.(?:keys|entries|values|getOwnPropertyNames)|Reflect\.ownKeys)$/;
const FRAMES = /\b(?:prepareStackTrace|getCallSites?|stackTraceLimit)\b/;
const PLACE =
  /^(?:os\.(?:networkInterfaces|hostname|userInfo|getppid|getlogin|uname)|socket\.gethostname|platform\.node|getpass\.getuser|process\.(?:getuid|geteuid))$/;
const OF_TESTS = /test|spec|jest|mocha/i;
const MODULES = /^(?:sys\.modules|sys\.(?:gettrace|getprofile|_current_frames))\b/;

/**
 * The same signs in other forms: a search through the whole environment, a stack in a variable, loaded modules, the
 * name of the machine.
 */
export const asksIndirectly: Inspection = {
  kind: 'asks-if-tested',
  *look(file) {
    const names = aliases(file.root, file.text);
    for (const node of addedNodes(file)) {
      const words = asked(node, file.text, names);
      if (words !== null) yield { line: node.line, words };
    }
  },
};

interface Aliases {
  /** Variables that contain a stack, the arguments, or Python's loaded modules. */
  readonly stack: ReadonlySet<string>;
  readonly argv: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
}

function aliases(root: SyntaxNode, text: string): Aliases {
  const stack = new Set<string>();
  const argv = new Set<string>();
  const modules = new Set<string>();
  for (const node of nodesOf(root)) {
    const written = plainText(node, text);
    if (node.kind === 'shorthand_property_identifier_pattern' && written === 'stack') stack.add(written);
    if (node.kind === 'import_specifier' && /^argv\b/.test(written)) argv.add(lastText(written.split(/\s+as\s+/)));
    if (node.kind === 'import_from_statement' && /^from\s+sys\s+import\b.*\bmodules\b/.test(written)) {
      modules.add(/\bmodules\s+as\s+(\w+)/.exec(written)?.[1] ?? 'modules');
    }
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (name === null || value === null || FUNCTIONS.has(node.kind)) continue;
    const given = plainText(value, text);
    const named = [...nodesOf(name)].filter(({ kind }) => /^(?:identifier|shorthand_\w+)$/.test(kind));
    if (/\.stack$/.test(given)) stack.add(plainText(name, text));
    if (/^process\.argv\b/.test(given) || argv.has(given)) for (const each of named) argv.add(plainText(each, text));
    if (MODULES.test(given)) modules.add(plainText(name, text));
  }
  return { stack, argv, modules };
}

function asked(node: SyntaxNode, text: string, { stack, argv, modules }: Aliases): string | null {
  const written = plainText(node, text);
  if (node.kind === 'property_identifier' && FRAMES.test(written)) return `${written} shows who calls`;
  if (node.kind === 'comparison_operator' && /\b(?:not\s+)?in\b/.test(written)) {
    const right =
      written
        .split(/\bin\b/)
        .at(-1)
        ?.trim() ?? '';
    if (MODULES.test(right) || modules.has(right)) return 'it reads which modules are loaded';
  }
  if (node.kind === 'for_in_clause' || node.kind === 'for_statement') {
    const over = childOf(node, 'right');
    const source = over === null ? '' : plainText(over, text).replace(/^list\((.*)\)$|\.\w+\(\)$/g, '$1');
    if (MODULES.test(source) || modules.has(source)) return 'it reads which modules are loaded';
  }
  if (!CALLS.has(node.kind)) return null;
  const callee = calleeOf(node);
  const chain = chainOf(callee, text);
  const name = chain.join('.');
  if (PLACE.test(name)) return `${name} shows which machine this is`;
  const [first] = argumentsOf(node);
  const subject = plainText(first, text);
  const isSearch = SEARCHES.test(lastText(chain));
  const isEnvironment = /\b(?:process\.env|os\.environ)\b/.test(plainText(callee, text));
  if (isSearch && isEnvironment && /\.(?:some|every|find)\b/.test(written)) return 'it looks through the environment';
  if (ENUMERATES.test(name) && subject === 'process.env' && isDecided(node, text))
    return 'it looks through the environment';
  const owner = chain.slice(0, -1);
  if (
    isSearch &&
    (isStackOf(owner, text) || stack.has(owner.join('.')) || /\.stack$/.test(subject) || stack.has(subject))
  )
    return 'it looks for a caller in the stack';
  const isArgument = argv.has(firstText(owner)) || /^process\.argv/.test(owner.join('.'));
  const searched = literalOf(first, text);
  return isSearch && isArgument && searched !== null && OF_TESTS.test(searched)
    ? 'it looks for tests in the command line'
    : null;
}

/** `error.stack`. A `stack` that the file fills by `push` is a list of its own. */
function isStackOf(owner: readonly string[], text: string): boolean {
  return owner.length > 1 && owner.at(-1) === 'stack' && !text.includes(`${owner.join('.')}.push(`);
}

/** Whether the result of a call is searched. */
function isDecided(call: SyntaxNode, text: string): boolean {
  const member = call.parent?.kind === 'member_expression' ? childOf(call.parent, 'property') : null;
  return SEARCHES.test(plainText(member, text));
}
