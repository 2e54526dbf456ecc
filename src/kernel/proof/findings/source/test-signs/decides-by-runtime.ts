import { isBuiltin } from 'node:module';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { CALLS, identifiersIn, literalOf } from '../../names.ts';
import { namesGivenTo } from './asks-environment.ts';
import { isProgramEntry } from './program-entry.ts';

const LANGUAGES = /^(?:javascript|typescript|tsx|python)$/;
/** Objects of the runtime that say how a process is set up. */
const GLOBALS = /^(?:process|globalThis|global|require|module|console|Error|Bun|Deno)$/;
const STANDARD =
  /^(?:sys|os|threading|gc|inspect|logging|warnings|faulthandler|signal|builtins|atexit|traceback|tracemalloc|multiprocessing|asyncio|io|contextvars|importlib|linecache|site|codecs|locale|resource)$/;
const NEUTRAL =
  /^(?:undefined|NaN|Infinity|None|True|False|Array|Object|Function|Number|String|Boolean|Promise|Map|Set|Date|len|bool|int|str|any|all|type|isinstance|getattr|hasattr|id|repr|callable)$/;
/** What honest code asks of its runtime: the platform and its version, its own arguments and environment, files, users, the main program. */
const HONEST = new RegExp(
  [
    String.raw`\bprocess\.(?:platform|arch|versions?|env|argv|release|features|browser|send|connected|exitCode|title|pid|getuid|geteuid|type|std\w+\??\.(?:isTTY|columns|rows|writable\w*|destroyed|hasColors|fd)|report|permission|allowedNodeEnvironmentFlags|cwd|emitWarning)\b`,
    String.raw`\bsys\.(?:platform|version\w*|maxsize|byteorder|implementation|argv|hexversion|(?:base_|real_|exec_)?prefix|executable|exc_info|getdefaultencoding|getfilesystemencoding|getwindowsversion|float_info|stdin|std\w+\.(?:encoding|isatty|closed|buffer|fileno|errors)|path|stderr is|stdout is|modules|last_\w+|is_finalizing|getandroidapilevel|maxunicode|getrecursionlimit)\b|\b(?:environ|modules)$`,
    String.raw`\bos\.(?:name|environ|getenv|path|access|sep|altsep|get(?:e?u|e?g|p|pp)id|uname|get\w*login|cpu_count|EOL|platform|type|release|arch|isatty|fork|supports_\w+|exists|stat|listdir|getcwd|sys|cpus|userInfo|hostname)\b`,
    String.raw`\blogging\.(?:getLogger|lastResort|_srcfile|raiseExceptions)\b|\bisEnabledFor\b|\bError\.captureStackTrace\b|\bimportlib\.(?:util|resources|metadata)\b|\blocale\.\w+|\bmultiprocessing\.(?:current_process|parent_process|get_start_method|cpu_count)|\basyncio\.(?:get|iscoroutine|current)\w*|\bthreading\.(?:current_thread|main_thread|get_ident|active_count)\b|\bsignal\.\w+|\b(?:Deno|Bun)\.(?:build|version|env|args|main)\b|\brequire\.main\b|\bmodule\.(?:hot|parent|exports|id)\b|\bcodecs\.\w+|\bwarnings\.\w+\(|\bgc\.isenabled\b|\bget_running_loop\b|\bgetenv\b|\blinesep\b|\bdevice_encoding\b|\bcurrentframe\b|\bplatform\(\)|\bhasColors\b`,
    String.raw`\btypeof\b[^'"]*['"](?:function|object|undefined|string)['"]|['"](?:function|object|undefined)['"][!=]+typeof\b|^['"]\w+['"]in |^require\([^()]*\)$`,
    String.raw`\bhasattr\((?!sys,)|\b(?:has|get)attr\(sys,['"](?:frozen|\w*dlopenflags|_MEIPASS|\w*prefix|gettotalrefcount|pypy\w*|getandroidapilevel|set_int_max_str_digits|monitoring|_is_gil_enabled|unraisablehook|abiflags|ps1|tracebacklimit)['"]`,
  ].join('|'),
);
const COMPARES = /^(?:[=!]==?|[<>]=?|in|not in|is|is not|instanceof)$/;
const DECIDES = /^(?:&&|\|\||and|or)$/;
const WRAPS = /^(?:parenthesized_expression|not_operator|unary_expression)$/;
const IMPORTS = /^(?:import_statement|import_from_statement)$/;

/**
 * A decision by nothing but what the runtime says of itself: the listeners of its process, its hooks, the kind of its output, the realm of its objects. A test run is always on one side of it. None: a
 * test names what is asked; honest code asks the same of every run (the platform, a version, the environment); a member that is only looked for, as a feature.
 */
export const decidesByRuntime: Inspection = {
  kind: 'asks-if-tested',
  *look(file, { tests }) {
    if (!LANGUAGES.test(file.language) || isProgramEntry(file)) return;
    const known = runtimeNames(file);
    const seen = new Set<number>();
    for (const node of addedNodes(file)) {
      const operand = isDecision(node) ? bare(node) : null;
      const asked = operand === null || seen.has(node.line) ? null : askedBy(operand, file, known);
      if (asked === null || tests.some(({ text }) => wordIn(asked.name, text))) continue;
      seen.add(node.line);
      yield { line: node.line, words: `it decides by ${asked.written} alone, and no test says which` };
    }
  },
};

/** A condition, or an operand of one. */
function isDecision(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === null || !node.named) return false;
  const isOperator = (each: SyntaxNode): boolean => each.children.some(({ kind }) => DECIDES.test(kind));
  if (isOperator(bare(node))) return false;
  if (isOperator(parent)) return true;
  if (node.field === 'condition') return true;
  return parent.kind === 'conditional_expression' && namedChildren(parent)[1]?.start === node.start;
}

function bare(node: SyntaxNode): SyntaxNode {
  const [inner] = WRAPS.test(node.kind) ? namedChildren(node) : [];
  return inner === undefined || plainOperator(node) === 'typeof' ? node : bare(inner);
}

function plainOperator(node: SyntaxNode): string {
  return node.children.find(({ named }) => !named)?.kind ?? '';
}

interface Names {
  /** Of modules of the runtime, and what is imported from them. */
  readonly runtime: ReadonlySet<string>;
  /** What stands for an answer of the runtime. */
  readonly aliases: ReadonlyMap<string, SyntaxNode>;
}

interface Asked {
  readonly written: string;
  /** Its last name. */
  readonly name: string;
}

function askedBy(operand: SyntaxNode, file: InspectedFile, known: Names): Asked | null {
  const { text } = file;
  const given = namesGivenTo(operand, text);
  const alias = operand.kind === 'identifier' ? known.aliases.get(plainText(operand, text)) : undefined;
  const asked = alias ?? operand;
  const isAnswer = [...nodesOf(asked)].some(
    (node) => CALLS.has(node.kind) || node.children.some(({ kind }) => COMPARES.test(kind)),
  );
  if (!isAnswer || !isOfRuntime(asked, file, known)) return null;
  // A parameter or a variable can have the name of a module.
  if (alias === undefined && [...identifiersIn(operand, text)].some((name) => given.has(name))) return null;
  const written = plainText(asked, text);
  if (HONEST.test(written)) return null;
  const names = [...nodesOf(asked)].filter(({ kind }) => /identifier$/.test(kind)).map((each) => plainText(each, text));
  const name = names.filter((each) => !NEUTRAL.test(each)).at(-1) ?? '';
  return { written, name };
}

/** Whether all its names are of the runtime. */
function isOfRuntime(node: SyntaxNode, { text, language }: InspectedFile, { runtime }: Names): boolean {
  let isAsked = false;
  for (const each of nodesOf(node)) {
    if (/^(?:this|super|yield|await_expression|await|function_expression|arrow_function|lambda)$/.test(each.kind))
      return false;
    if (each.kind !== 'identifier' || isMember(each)) continue;
    const name = plainText(each, text);
    if (runtime.has(name) || (language !== 'python' && GLOBALS.test(name))) isAsked = true;
    else if (!NEUTRAL.test(name)) return false;
  }
  return isAsked;
}

function isMember({ field, parent }: SyntaxNode): boolean {
  return field === 'attribute' || (field === 'name' && parent?.kind === 'keyword_argument');
}

function runtimeNames(file: InspectedFile): Names {
  const { root, text, language } = file;
  const runtime = new Set<string>();
  for (const node of nodesOf(root)) {
    if (IMPORTS.test(node.kind)) for (const name of importedNames(node, text, language)) runtime.add(name);
    const value = node.kind === 'variable_declarator' ? childOf(node, 'value') : null;
    const [, module = ''] =
      value === null ? [] : (/^require\((['"])(.+)\1\)$/.exec(plainText(value, text))?.slice(1) ?? []);
    const name = childOf(node, 'name');
    if (value !== null && name !== null && isBuiltin(module))
      for (const each of nodesOf(name)) if (/identifier/.test(each.kind)) runtime.add(plainText(each, text));
  }
  const aliases = new Map<string, SyntaxNode>();
  for (const node of nodesOf(root)) {
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (!/^(?:variable_declarator|assignment)$/.test(node.kind) || name?.kind !== 'identifier' || value === null)
      continue;
    if (isOfRuntime(bare(value), file, { runtime, aliases })) aliases.set(plainText(name, text), bare(value));
  }
  return { runtime, aliases };
}

function importedNames(statement: SyntaxNode, text: string, language: string): string[] {
  const leaves = [...nodesOf(statement)]
    .filter(({ kind }) => kind === 'identifier')
    .map((each) => plainText(each, text));
  if (language !== 'python') {
    const from = childOf(statement, 'source');
    return from !== null && isBuiltin(literalOf(from, text) ?? '') ? leaves : [];
  }
  const from = childOf(statement, 'module_name');
  if (from !== null) return STANDARD.test(plainText(from, text).split('.')[0] ?? '') ? leaves : [];
  return leaves.filter((name) => STANDARD.test(name));
}

function wordIn(name: string, text: string): boolean {
  return name !== '' && text.split(/\W+/).includes(name);
}
