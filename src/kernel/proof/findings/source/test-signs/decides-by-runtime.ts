import { isBuiltin } from 'node:module';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, kindOf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { CALLS, identifiersIn } from '../../names.ts';
import { namesGivenTo } from './asks-environment.ts';
import { isProgramEntry } from './program-entry.ts';
import { fileNames, isGivenByFile, valueAt } from './runtime-names.ts';
import type { FileNames } from './runtime-names.ts';

const LANGUAGES = /^(?:javascript|typescript|tsx|python)$/;
/** Objects of the runtime that need no import. */
const GLOBALS = /^(?:process|globalThis|global|require|module|console|Error|Bun|Deno)$/;
const NEUTRAL =
  /^(?:undefined|NaN|Infinity|None|True|False|Array|Object|Function|Number|String|Boolean|Promise|Map|Set|Date|len|bool|int|str|any|all|type|isinstance|getattr|hasattr|id|repr|callable)$/;

const LISTENERS = String.raw`listenerCount|listeners|rawListeners|eventNames|constructor|__proto__|_\w+`;
const OBJECTS = String.raw`(?:process|globalThis|global|console|module|require\.(?:cache|extensions))`;
/** What the runtime says of the running process itself: listeners, hooks, classes, other threads. Never input or output. */
const OF_PROCESS: Readonly<Record<'javascript' | 'python', RegExp>> = {
  javascript: anyOf(
    String.raw`process\.(?:${LISTENERS}|domain|mainModule\.|moduleLoadList|hasUncaughtExceptionCaptureCallback|getActiveResourcesInfo|std(?:out|err)\.(?:${LISTENERS}))`,
    // The name or text of a function shows whether it was replaced.
    String.raw`(?:process|console)\.(?!release|env|argv|versions?\b|pid|arch|platform|config)\w+(?:\.\w+)?\.(?:name|toString|constructor)\b`,
    String.raw`Object\.(?:keys|values|entries|getOwnPropertyNames|getOwnPropertySymbols|getPrototypeOf)\(${OBJECTS}\)`,
    String.raw`module\.(?:children|paths|loaded|constructor|_\w+)`,
    String.raw`Error\.(?:stackTraceLimit|prepareStackTrace)\b`,
    String.raw`Deno\.(?:resources|metrics|core|internal|mainModule)\b|Bun\.jest\b`,
    String.raw`v8\.(?:queryObjects|cachedDataVersionTag|promiseHooks)\b`,
    String.raw`vm\.(?:isContext\((?:globalThis|global)\)|runIn\w+\(['"]\w+['"]\)[!=]==?(?:Array|Object|Function|Error|Promise)\b)`,
    String.raw`async_hooks\.(?:executionAsyncId|triggerAsyncId|executionAsyncResource)\b`,
    String.raw`inspector\.url\b|perf_hooks\.performance\.(?:nodeTiming|timeOrigin)\b`,
  ),
  python: anyOf(
    String.raw`sys\.(?:get(?:trace|profile)|get_(?:asyncgen_hooks|coroutine_origin_tracking_depth)|\w*hook(?:__)?|meta_path|path_hooks|path_importer_cache|_\w+)\b`,
    String.raw`(?:type\(sys\.(?:__)?std(?:in|out|err)(?:__)?\)|sys\.(?:__)?std(?:in|out|err)(?:__)?\.__class__)`,
    String.raw`(?:has|get)attr\(sys,`,
    String.raw`threading\.(?:enumerate|gettrace|getprofile|(?:__)?excepthook(?:__)?|_active|_limbo|_\w+_hook)\b`,
    String.raw`gc\.get_(?:objects|referrers|referents|stats|debug)\b|gc\.callbacks\b`,
    String.raw`inspect\.(?:stack|trace|getouterframes|getinnerframes)\b|traceback\.(?:extract|format|walk)_stack\b`,
    String.raw`warnings\.(?:filters|showwarning|formatwarning|defaultaction|onceregistry|_\w+)`,
    String.raw`faulthandler\.is_enabled\b|contextvars\.copy_context\b|linecache\.cache\b`,
    String.raw`logging\.(?:_handler\w*|getLoggerClass|getLogRecordFactory)\b`,
    String.raw`builtins\.__(?:import|build_class)__`,
  ),
};
/** The same class is another object in the realm of a test runner: `readdirSync('.') instanceof Array`. */
const REALM =
  /^(?!require\b|module\b|worker_threads\b|global(?:This)?\b|Error\b)(?!.*erialize).*(?: ?instanceof (?:Array|Object|Function|Promise|Map|Set|Date)|\.constructor(?:\.name)?[!=]==?.*)$/;
/** A look for a feature, for the debugger, for a notebook. */
const HONEST = new RegExp(
  [
    String.raw`\btypeof\b[^'"]*['"](?:function|object|undefined|string)['"]|['"](?:function|object|undefined)['"][!=]+typeof\b|^['"]\w+['"]in `,
    String.raw`\b(?:has|get)attr\(sys,['"](?:frozen|\w*dlopenflags|_MEIPASS|\w*prefix|pypy\w*|[gs]et\w+|monitoring|_is_gil_enabled|unraisablehook|abiflags|ps[12]|tracebacklimit|last_\w+|exc\w+|stdlib_module_names|orig_argv|winver|activate_stack_trampoline|implementation|maxint|setdefaultencoding|_git|_framework|_base_executable)['"]`,
    String.raw`\bsys\._(?:is_gil_enabled|MEIPASS|git|framework|base_executable)\b|ipykernel|IPython|OutStream|idlelib|colab`,
  ].join('|'),
);
const MISSING = /[!=]==?(?:undefined|null)$|^(?:undefined|null)[!=]==?|is(?: not)? None$/;
const COMPARES = /^(?:[=!]==?|[<>]=?|in|not in|is|is not|instanceof)$/;
const DECIDES = /^(?:&&|\|\||and|or)$/;
const WRAPS = /^(?:parenthesized_expression|not_operator|unary_expression)$/;
const ADDS_LISTENER = /^process\.(?:\w+\.)?(?:on|once|addListener|prependListener)\(/;
const WORK = /^(?:this|super|yield|await_expression|await|function_expression|arrow_function|lambda)$/;

/**
 * A decision by nothing but what the runtime says of the process that it runs: the listeners of the process, its hooks,
 * the class of its output, the realm of its objects. A test run is always on one side of it. It is not reported if a
 * test names what is asked, if the answer is of a file, another program or the platform, or if a feature is looked for.
 */
export const decidesByRuntime: Inspection = {
  kind: 'asks-if-tested',
  *look(file, { tests }) {
    if (!LANGUAGES.test(file.language) || isProgramEntry(file)) return;
    const known = fileNames(file);
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

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\w.$'"])(?:${patterns.join('|')})`);
}

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
  return kindOf(node.children.find(({ named }) => !named));
}

interface Asked {
  readonly written: string;
  /** Its last name. */
  readonly name: string;
}

function askedBy(operand: SyntaxNode, file: InspectedFile, known: FileNames): Asked | null {
  const { text } = file;
  const value = operand.kind === 'identifier' ? valueAt(operand, known, text) : null;
  const asked = value === null ? operand : bare(value);
  const nodes = [...nodesOf(asked)];
  const hasCall = nodes.some(({ kind }) => CALLS.has(kind));
  const isAnswer = hasCall || nodes.some(({ children }) => children.some(({ kind }) => COMPARES.test(kind)));
  if (!isAnswer || !isOfRuntime(asked, file, known)) return null;
  const full = fullText(asked, file, known);
  if (!isOfProcess(full, file.language) || HONEST.test(full) || (!hasCall && MISSING.test(full))) return null;
  if (isListenerAdded(operand, text)) return null;
  // A parameter or a variable can have the name of a module.
  const given = namesGivenTo(asked, text);
  if ([...identifiersIn(asked, text)].some((name) => given.has(name))) return null;
  const names = nodes.filter(({ kind }) => /identifier$/.test(kind)).map((each) => plainText(each, text));
  const name = lastText(names.filter((each) => !NEUTRAL.test(each)));
  return { written: plainText(asked, text), name };
}

/** Whether an `if` without `else` does nothing but add a listener, as in `if (process.listenerCount('a') === 0) process.on('a', b)`. */
function isListenerAdded(operand: SyntaxNode, text: string): boolean {
  const branch = above(operand, ({ kind }) => kind === 'if_statement');
  const body = childOf(branch, 'consequence');
  if (branch === null || body === null || childOf(branch, 'alternative') !== null) return false;
  if (operand.start >= body.start) return false;
  const statements = body.kind === 'statement_block' ? namedChildren(body) : [body];
  return statements.length > 0 && statements.every((each) => ADDS_LISTENER.test(textOf(each, text)));
}

function isOfProcess(full: string, language: string): boolean {
  if (language === 'python') return OF_PROCESS.python.test(full);
  return OF_PROCESS.javascript.test(full) || REALM.test(full);
}

/** Whether all its names are of the runtime. */
function isOfRuntime(node: SyntaxNode, { text, language }: InspectedFile, known: FileNames): boolean {
  let isAsked = false;
  for (const each of nodesOf(node)) {
    if (WORK.test(each.kind)) return false;
    if (each.kind !== 'identifier' || isMember(each)) continue;
    const name = plainText(each, text);
    const isGlobal = language !== 'python' && GLOBALS.test(name) && !isGivenByFile(name, known);
    if (isGlobal || known.imported.has(name)) isAsked = true;
    else if (!NEUTRAL.test(name)) return false;
  }
  return isAsked;
}

function isMember({ field, parent }: SyntaxNode): boolean {
  return field === 'attribute' || (field === 'name' && parent?.kind === 'keyword_argument');
}

/** Its text with the full names of what is imported: `filters` is `warnings.filters`, `require('node:fs')` is `fs`. */
function fullText(node: SyntaxNode, { text }: InspectedFile, { imported }: FileNames): string {
  let full = textOf(node, text);
  const names = [...nodesOf(node)].filter((each) => each.kind === 'identifier' && !isMember(each));
  for (const each of names.toReversed()) {
    const [from, to] = [each.start - node.start, each.end - node.start];
    const name = full.slice(from, to);
    full = `${full.slice(0, from)}${imported.get(name) ?? name}${full.slice(to)}`;
  }
  return full
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<![\w$])\s+|\s+(?![\w$])/g, '')
    .replaceAll('?.', '.')
    .replaceAll(/\brequire\((['"])((?:node:)?\w+)\1\)/g, (call, _, module: string) =>
      isBuiltin(module) ? module.replace(/^node:/, '') : call,
    );
}

function wordIn(name: string, text: string): boolean {
  return name !== '' && text.split(/\W+/).includes(name);
}
