import type { ParseSyntax, SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { editedText } from '../../../lib/syntax/edited-text.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { SourceText } from '../findings/finding.ts';
import {
  argumentsOf,
  calleeOf,
  CALLS,
  callsIn,
  chainOf,
  FUNCTIONS,
  functionName,
  lastName,
} from '../findings/names.ts';
import { isGuard } from '../kept/effects/protecting-names.ts';
import { asOftenAs } from '../as-often-as.ts';
import { sourceText } from '../read-text.ts';
import { GRAMMARS } from '../syntax/grammars/grammars.ts';
import type { Grammar } from '../syntax/grammars/grammar.ts';
import { childOf, namedChildren, nodesOf, plainText, textOf } from '../syntax/walk.ts';
import { addedParts } from './added-parts.ts';
import type { ChangedText } from './changed-hunks.ts';
import type { PutBack } from './deleted-rules.ts';
import { callsForeign, isKept } from './foreign-calls.ts';
import { isReaching } from './reaching-names.ts';

const MAX_SHOWN = 80;
/** Maximum number of effects in a file with those that hardly reach out of it. */
const MAX_OTHERS = 6;

/**
 * Returns one source for each effect that the change added to old code (a call whose result is not used, an assignment
 * to something else, a rule that returns early): the new source without it. Work that a test asks for is missed by that
 * test.
 */
export async function addedEffects(path: string, change: ChangedText, parse: ParseSyntax): Promise<PutBack[]> {
  const language = languageOfFile(path);
  const [old, now] = [await sourceText(parse, path, change.before), await sourceText(parse, path, change.after)];
  if (language === null || old === null || now === null || change.hunks.length === 0) return [];
  const added = newStatements([...statementsOf(old, language)], [...statementsOf(now, language)]);
  const oldFunctions = namesOfFunctions(old);
  const found: Left[] = [];
  for (const { node, replacement } of added) {
    if (!isAdded(node, change) || !isInOldCode(node, now.text, oldFunctions)) continue;
    if (found.some(({ start, end }) => start <= node.start && node.end <= end)) continue;
    const text = editedText(now.text, { start: node.start, end: node.end, replacement });
    const words = `\`${oneLine(textOf(node, now.text), MAX_SHOWN)}\` is left out`;
    found.push({ line: node.line, words, text, start: node.start, end: node.end, reaches: reachesOut(node, now.text) });
  }
  const outward = [...found.filter(({ reaches }) => reaches), ...addedParts(change)];
  return [...outward, ...found.filter(({ reaches }) => !reaches).slice(0, Math.max(0, MAX_OTHERS - outward.length))];
}

/** An effect that is left out. `reaches`: it is reported even if it could not be tried. */
interface Left extends PutBack, Pick<SyntaxNode, 'start' | 'end'> {
  readonly reaches: boolean;
}

/** Whether a statement is a rule or an assignment, or calls something by whose name it changes more than its object. */
function reachesOut(node: SyntaxNode, text: string): boolean {
  const calls = callsIn(node).map((call) => lastName(call, text));
  return RULES.test(node.kind) || calls.length === 0 || calls.some(isReaching);
}

interface Statement {
  readonly node: SyntaxNode;
  readonly code: string;
  /** What it calls, or its whole code. */
  readonly called: string;
  /** The text in its place when it is left out. */
  readonly replacement: string;
}

/**
 * The statements that are not in the old source, and are no old ones with other arguments: these call the same as an old
 * one that is gone.
 */
function newStatements(old: readonly Statement[], now: readonly Statement[]): Statement[] {
  const without = (all: readonly Statement[], others: readonly Statement[], key: 'code' | 'called'): Statement[] => {
    const isThere = asOftenAs(others.map((each) => each[key]));
    return all.filter((each) => !isThere(each[key]));
  };
  return without(without(now, old, 'code'), without(old, now, 'code'), 'called');
}

function isAdded({ line, endLine }: SyntaxNode, { hunks }: ChangedText): boolean {
  return hunks.some(({ newStart, newLines }) => line < newStart + newLines && endLine >= newStart);
}

function namesOfFunctions({ root, text }: SourceText): ReadonlySet<string> {
  return new Set(
    [...nodesOf(root)].flatMap((node) => {
      const name = FUNCTIONS.has(node.kind) ? functionName(node) : null;
      return name === null ? [] : [plainText(name, text)];
    }),
  );
}

/** Whether a node is at the top level of its file, or in a function that the old source has. */
function isInOldCode(node: SyntaxNode, text: string, oldFunctions: ReadonlySet<string>): boolean {
  const decorated = node.kind === 'decorator' ? childOf(node.parent, 'definition') : null;
  let outermost = decorated === null ? null : plainText(childOf(decorated, 'name'), text);
  let isInside = false;
  for (let each = node.parent; each !== null; each = each.parent) {
    if (/^(?:class|module|impl_item|class_\w+)$/.test(each.kind) && outermost === null) isInside = true;
    const name = FUNCTIONS.has(each.kind) ? functionName(each) : null;
    if (name !== null) outermost = plainText(name, text);
  }
  return outermost === null ? !isInside : oldFunctions.has(outermost);
}

function* statementsOf({ root, text }: SourceText, language: SyntaxLanguage): Generator<Statement> {
  const grammar = GRAMMARS[language];
  if (language === 'python') yield* decoratorsOf({ root, text });
  for (const node of liveNodes(root, text, grammar)) {
    const replacement = hasEffect(node, text, grammar)
      ? withoutCall(node, text, language)
      : withoutRule(node, text, grammar);
    if (replacement === null) continue;
    const [call] = RULES.test(node.kind) ? [] : callsIn(node);
    const code = plainText(node, text);
    yield { node, code, called: call === undefined ? code : chainOf(call, text).join('.'), replacement };
  }
}

function* liveNodes(node: SyntaxNode, text: string, grammar: Grammar): Generator<SyntaxNode> {
  if (grammar.inert.has(node.kind) || grammar.isTest?.(node, text) === true) return;
  yield node;
  for (const child of node.children) yield* liveNodes(child, text, grammar);
}

const GO_BUILTIN =
  /^(?:append|cap|clear|close|complex|copy|delete|imag|len|make|max|min|new|panic|print|println|real|recover)$/;

/** The text in place of a call. In Go it still uses the same names, because unused ones are errors. */
function withoutCall(node: SyntaxNode, text: string, language: SyntaxLanguage): string {
  const [call] = language === 'go' ? callsIn(node) : [];
  if (call === undefined) return GRAMMARS[language].emptyStatement;
  const names = argumentsOf(call).filter(({ kind }) => kind === 'identifier');
  const used = [calleeOf(call), ...names].map((each) => textOf(each, text)).filter((each) => !GO_BUILTIN.test(each));
  return used.length === 0 ? '' : `${used.map(() => '_').join(', ')} = ${used.join(', ')}`;
}

/** Statements with a call that are no `removable` statement of a grammar: `go send(a)`, `defer remove(b)`. */
const STARTS_CALL = /^(?:go_statement|defer_statement)$/;
/** A command of the shell in backticks. */
const COMMAND = /^subshell$/;
const DECLARES =
  /^(?:lexical_declaration|variable_declaration|let_declaration|assignment_statement|short_var_declaration)$/;

/** Decorators of Python that hardly change what a function does, or that every call notices. */
const PLAIN_DECORATOR =
  /cache|^(?:wraps|staticmethod|classmethod|property|setter|override|overload|final|abstractmethod|dataclass|total_ordering|contextmanager|\w*fixture|deprecated)$/;

const OPENS = /exempt|skip|disable|allow|public|anonymous/i;

/** Decorators of old functions. One that protects makes its function stricter. */
function* decoratorsOf({ root, text }: SourceText): Generator<Statement> {
  for (const node of nodesOf(root)) {
    const name = node.kind === 'decorator' ? lastName(namedChildren(node)[0], text) : '';
    if (name === '' || PLAIN_DECORATOR.test(name) || (isGuard(name) && !OPENS.test(name))) continue;
    const code = plainText(node, text);
    yield { node, code, called: code, replacement: '' };
  }
}

/** Expressions of Rust that are statements of their own in other languages. */
const NESTS = /^(?:return|if|for|while|loop|match|unsafe|async|block)(?:_|$)/;

function hasEffect(node: SyntaxNode, text: string, grammar: Grammar): boolean {
  if (DECLARES.test(node.kind)) return isUnread(node, text) && callsForeign(node, text);
  if (COMMAND.test(node.kind)) return grammar.isStatement?.(node) !== false;
  const isStatement = grammar.removable.has(node.kind) && grammar.isStatement?.(node) !== false;
  if (!isStatement && !STARTS_CALL.test(node.kind)) return false;
  if (/^(?:raise|throw|delete)_/.test(node.kind)) return false;
  const expression = grammar.removable.has(node.kind) && CALLS.has(node.kind) ? node : (namedChildren(node)[0] ?? node);
  if (NESTS.test(expression.kind) || /^throw_/.test(expression.kind)) return false;
  const target = childOf(expression, 'left');
  if (target !== null && !isUnread(expression, text))
    return isOfOther(target, text) && !limitsTime(target, childOf(expression, 'right'), text);
  return callsForeign(expression, text);
}

/** Whether a declaration gives its values only to names like `_`. */
function isUnread(node: SyntaxNode, text: string): boolean {
  const declared = /_declaration$/.test(node.kind) && node.kind !== 'let_declaration' ? namedChildren(node) : [node];
  return declared.every((each) => {
    const name = childOf(each, 'name') ?? childOf(each, 'pattern') ?? childOf(each, 'left');
    if (name === null) return false;
    const written = plainText(name, text);
    return /^_\w*$/.test(written) || (/^[\w$]+$/.test(written) && isNamedOnce(written, text));
  });
}

function isNamedOnce(name: string, text: string): boolean {
  return text.split(/[^\w$]+/).filter((each) => each === name).length === 1;
}

const MEMBERS = /member|attribute|selector|field_(?:access|expression)|subscript|element_reference|index_expression/;
/** An object that only writes a log or protects from other threads. */
const TOOL = /(?:^|[._@>])(?:log|logger|lock|mutex)$/i;
const NO_LIMIT = /^(?:0|- ?1|null|nil|None|undefined|false|False|Infinity)?$/;

/** `server.requestTimeout = 30_000`: no test waits for so long. */
function limitsTime(target: SyntaxNode, value: SyntaxNode | null, text: string): boolean {
  return /timeout(?:_?ms)?$/i.test(plainText(target, text)) && !NO_LIMIT.test(plainText(value, text));
}

/** Whether an assignment changes something that the function did not make: a member of another object, or a global. */
function isOfOther(target: SyntaxNode, text: string): boolean {
  const written = plainText(target, text);
  if (isKept(written) || TOOL.test(written) || /^(?:module\.)?exports\b/.test(written)) return false;
  return target.kind === 'global_variable' || MEMBERS.test(target.kind) || target.kind === 'call';
}

const RULES = /^(?:if_statement|if_expression|if|unless|if_modifier|unless_modifier)$/;
/** Values that say that there is nothing. */
const NOTHING = /^(?:0|""|''|\[\]|\{\}|nil|null|nullptr|None|undefined|false|False|\(\)|void 0|err|)$/;
/** Conditions about something missing. */
const MISSING =
  /^\(?(?:!|not )|(?:===?|is|!=) ?(?:null|undefined|None|nil|nullptr|0|''|"")|\.(?:nil|empty|blank|isEmpty|is_none|is_empty)\b|\bempty\(|\bunless\b/;

/** Values that are errors, and so are the same as a `throw`, which no one leaves out. */
const FAILS =
  /^(?:(?:nil|""|0|false|[\w.]+\{\}), )*(?:err|Err[A-Z]\w*|[a-z]\w*\.Err[A-Z]\w*|fmt\.Errorf\([^]*\)|errors\.\w+\([^]*\))$|^Err\([^]*\)$|^(?:callback|cb|next|done|reject|Promise\.reject)\((?:e|err|error|new \w*Error\([^]*\))\)$/;

/**
 * The text in place of a rule that returns something or leaves early, null if a node is no such rule. A rule that returns
 * nothing for what is missing is none: it is rarely tested.
 */
function withoutRule(node: SyntaxNode, text: string, grammar: Grammar): string | null {
  if (!RULES.test(node.kind) || grammar.isStatement?.(node) === false || node.field === 'alternative') return null;
  const consequence = childOf(node, 'consequence') ?? childOf(node, 'body');
  const condition = childOf(node, 'condition');
  if (consequence === null || condition === null) return null;
  const ends = [...nodesOf(consequence)].filter(
    ({ kind, named }) => named && /^(?:return|continue|break)(?:_statement|_expression)?$/.test(kind),
  );
  const isMissing = MISSING.test(plainText(condition, text)) || node.kind.startsWith('unless');
  const returned = ends.map((each) => textOf(grammar.returned(each, text) ?? namedChildren(each)[0], text));
  if (returned.length > 0 && returned.every((each) => FAILS.test(each))) return null;
  const decides = returned.some((each) => !NOTHING.test(each)) || (ends.length > 0 && !isMissing);
  if (!decides) return null;
  const never = neverTrue(condition, text, node.kind.startsWith('unless'), grammar);
  return never === null
    ? grammar.emptyStatement
    : text.slice(node.start, condition.start) + never + text.slice(condition.end, node.end);
}

/** A condition with which a rule never applies. It still uses the same names, so the source can be built. */
function neverTrue(condition: SyntaxNode, text: string, isNegated: boolean, grammar: Grammar): string | null {
  if ([...nodesOf(condition)].some(({ kind }) => /^let_/.test(kind))) return null;
  const written = textOf(condition, text);
  const [no, and] = '&&' in grammar.operators ? ['false', '&&'] : ['False', 'and'];
  const never = isNegated ? `true || (${written})` : `${no} ${and} (${written})`;
  return written.startsWith('(') ? `(${never})` : never;
}
