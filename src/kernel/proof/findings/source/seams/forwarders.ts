import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../../../lib/text/first-last.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { isLogging } from '../../../mutation/mutators/remove-statement.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile } from '../../finding.ts';
import { CALLS, literalOf } from '../../names.ts';
import type { Seam } from './empty-seams.ts';
import {
  argumentList,
  calledParts,
  isFunction,
  isNothing,
  nameOf,
  nameOfFunction,
  namesIn,
  parametersOf,
} from './syntax.ts';

/** A function that only calls the function in a seam. */
export interface Forwarder {
  readonly name: string;
  readonly line: number;
  readonly seam: Seam;
}

const BLOCK = /^(?:statement_block|block|compound_statement|body_statement|statement_list|unsafe_block)$/;
const WRAPS =
  /^(?:expression_statement|return_statement|return_expression|return|parenthesized_expression|await_expression|await|as_expression|satisfies_expression|non_null_expression|try_expression|expression_list|cast_expression|type_cast_expression)$/;
const CHOICES = /^(?:ternary_expression|conditional_expression|conditional|binary_expression|binary|boolean_operator)$/;
const CHOOSES = /\?\?|\|\||&&|\bor\b|\band\b/;
const BRANCHES = /^(?:if|unless)(?:_statement|_expression|_modifier|)$/;
const LOCALS =
  /^(?:lexical_declaration|variable_declaration|local_variable_declaration|let_declaration|short_var_declaration|assignment|assignment_expression)$/;
/** Counting the calls does not change their result. */
const COUNTS =
  /^(?:update_expression|augmented_assignment(?:_expression)?|operator_assignment|compound_assignment_expr)$/;
const FAILS = /^(?:throw_(?:statement|expression)|raise_statement)$/;
const CHECKS = /^(?:raise|fail|panic|assert\w*|invariant|requireNonNull|check\w*|ensure\w*|require)$/;
const WORK =
  /^(?:binary(?:_expression|_operator)?|unary(?:_expression|_operator)?|update_expression|comparison_operator|template_substitution|interpolation|\w*comprehension|generator_expression)$/;
const CONVERTS =
  /^(?:Number|String|Boolean|BigInt|Promise\.resolve|int|str|float|bool|list|Ok|Some|Integer|Float|round|abs|Math\.\w+|(?:Number\.)?parse(?:Int|Float)|structuredClone|Object\.freeze)$/;
const OWNERS = /^(?:this|self|cls|settings|static|exports|module|Self|crate|super)$/;
const OF_TABLES =
  /^(?:get|has|set|put|push|add|pop|shift|unshift|delete|remove|keys|values|entries|items|size|forEach|map|filter|find|some|every|join|concat|slice|includes|indexOf|append|count|copy|clear|contains\w*|isEmpty|fetch|each\w*|insert|setdefault|update|reduce|sort|length|iter|len|is_empty)$/;
const OF_LOCKS =
  /^(?:set|get|store|load|lock|read|write|take|replace|swap|get_or_init|unwrap|expect|is_some|is_none|as_ref|clone|ok|insert|len|iter|is_empty)$/;

/** Returns the functions that the change adds and that only call a seam. */
export function forwarders(file: InspectedFile, seams: readonly Seam[]): Forwarder[] {
  return [...addedNodes(file)].flatMap((node): Forwarder[] => {
    const name = isFunction(node) ? nameOfFunction(node, file.text) : null;
    const seam = name === null ? null : forwardedTo(node, file, seams);
    return name === null || seam === null ? [] : [{ name, line: node.line, seam }];
  });
}

interface Body {
  readonly text: string;
  readonly parameters: ReadonlySet<string>;
  /** Local variables that contain the function in a seam, and those that contain its result. */
  readonly aliases: Map<string, Seam>;
  readonly answers: Map<string, Seam>;
  readonly seams: readonly Seam[];
  readonly isRust: boolean;
}

/** The seam, if each result of the function is the result of a call of the seam, or empty. Checks are allowed. */
function forwardedTo(node: SyntaxNode, { text, language }: InspectedFile, seams: readonly Seam[]): Seam | null {
  const written = childOf(node, 'body');
  if (written === null) return null;
  const body: Body = {
    text,
    parameters: parametersOf(node, text),
    aliases: new Map(),
    answers: new Map(),
    seams,
    isRust: language === 'rust',
  };
  const isExpression = !BLOCK.test(written.kind);
  const results = isExpression ? [written] : resultsOf(written, body, /^(?:ruby|rust)$/.test(language));
  if (results === null) return null;
  const found = results.map((each) => resultOf(each, body));
  if (found.includes('work')) return null;
  return found.find((each) => typeof each === 'object') ?? null;
}

/** The result expressions of a block; null if it contains statements other than checks. */
function resultsOf(block: SyntaxNode, body: Body, isTail: boolean): SyntaxNode[] | null {
  const statements = statementsOf(block);
  const results: SyntaxNode[] = [];
  for (const [index, statement] of statements.entries()) {
    const isLast = index === statements.length - 1;
    const own = ofStatement(statement, body, isTail && isLast);
    if (own === null) return null;
    results.push(...own);
  }
  return results;
}

function ofStatement(statement: SyntaxNode, body: Body, isTail: boolean): SyntaxNode[] | null {
  const { text } = body;
  const inner = statement.kind === 'expression_statement' ? (namedChildren(statement)[0] ?? statement) : statement;
  if (/^(?:string|global_statement|nonlocal_statement|empty_statement)$/.test(inner.kind) && !isTail) return [];
  if (FAILS.test(inner.kind) || /^(?:macro_invocation|assert_statement)$/.test(inner.kind)) return [];
  if (/^return/.test(inner.kind)) return namedChildren(inner).length === 0 ? [] : [inner];
  if (BLOCK.test(inner.kind)) return resultsOf(inner, body, isTail);
  if (BRANCHES.test(inner.kind)) return ofBranches(inner, body, isTail);
  if (COUNTS.test(inner.kind) || (CALLS.has(inner.kind) && !isTail && isLogging(plainText(inner, text)))) return [];
  if (LOCALS.test(inner.kind) && !isTail) return isAlias(inner, body) || isAnswer(inner, body) ? [] : null;
  if (CALLS.has(inner.kind) && CHECKS.test(lastText(calledNames(inner, text)))) return [];
  return isTail ? [inner] : null;
}

function ofBranches(branch: SyntaxNode, body: Body, isTail: boolean): SyntaxNode[] | null {
  const condition = childOf(branch, 'condition');
  const parts = namedChildren(branch).filter((each) => each !== condition);
  const results = parts.map((each) =>
    /^(?:else|then|elsif|elif)/.test(each.kind) ? resultsOf(each, body, isTail) : ofStatement(each, body, isTail),
  );
  return results.some((each) => each === null) ? null : results.flatMap((each) => each ?? []);
}

function statementsOf(block: SyntaxNode): SyntaxNode[] {
  return namedChildren(block).flatMap((each) => (each.kind === 'statement_list' ? statementsOf(each) : [each]));
}

/** `const f = registry.get('mul')`. */
function isAlias(declaration: SyntaxNode, body: Body): boolean {
  const all = [...nodesOf(declaration)];
  const value = all.map((each) => childOf(each, 'value') ?? childOf(each, 'right')).find((each) => each !== null);
  const target = all
    .map((each) => childOf(each, 'name') ?? childOf(each, 'left') ?? childOf(each, 'pattern'))
    .find((each) => each !== null);
  if (value === null || value === undefined || target === null || target === undefined) return false;
  const names = namesIn(value, body.text);
  const seam = seamOf(names, body);
  const name = namesIn(target, body.text)[0];
  if (seam === null || name === undefined || names.some((each) => body.parameters.has(each))) return false;
  if (all.some(({ kind, named }) => named && WORK.test(kind) && !CHOICES.test(kind))) return false;
  body.aliases.set(name, { ...seam, kind: 'slot' });
  return true;
}

/** `const result = engine(a, b)`. */
function isAnswer(declaration: SyntaxNode, body: Body): boolean {
  const all = [...nodesOf(declaration)];
  const holder = all.find((each) => (childOf(each, 'value') ?? childOf(each, 'right')) !== null);
  if (holder === undefined) return false;
  const value = childOf(holder, 'value') ?? childOf(holder, 'right');
  const target = childOf(holder, 'name') ?? childOf(holder, 'left') ?? childOf(holder, 'pattern');
  const [name] = target === null ? [] : namesIn(target, body.text);
  const seam = value === null ? 'work' : resultOf(value, body);
  if (name === undefined || typeof seam !== 'object') return false;
  body.answers.set(name, seam);
  return true;
}

function seamOf(names: readonly string[], { seams, aliases }: Body): Seam | null {
  const first = names.find((each) => !OWNERS.test(each));
  if (first === undefined) return null;
  const isSeam = (name: string): Seam | null => aliases.get(name) ?? seams.find((each) => each.name === name) ?? null;
  // `Mul.engine` of a class, `registry.table` of a module.
  const second = names[names.indexOf(first) + 1];
  return isSeam(first) ?? (/^[A-Z]/.test(first) && second !== undefined ? isSeam(second) : null);
}

function resultOf(node: SyntaxNode, body: Body): Seam | 'nothing' | 'work' {
  const { text } = body;
  const [first] = namedChildren(node);
  if (WRAPS.test(node.kind) && first !== undefined)
    return resultOf(/^cast/.test(node.kind) ? (namedChildren(node).at(-1) ?? first) : first, body);
  if (
    isNothing(node, text) ||
    /^(?:string|number|integer|float|true|false|number_literal|\w+_literal)$/.test(node.kind)
  )
    return 'nothing';
  if (FAILS.test(node.kind)) return 'nothing';
  const answer = body.answers.get(nameOf(node, text) ?? '');
  if (answer !== undefined) return answer;
  const unchanged = besideNeutral(node, text);
  if (unchanged !== null) return resultOf(unchanged, body);
  if (CHOICES.test(node.kind)) return chosen(node, body);
  if (!CALLS.has(node.kind)) return 'work';
  const given = argumentList(node);
  const list = namedChildren(given);
  const called = calledParts(node)
    .map((each) => plainText(each, text))
    .join('');
  const [, ...others] = list;
  if (CONVERTS.test(called) && list[0] !== undefined && others.every((each) => literalOf(each, text) !== null))
    return resultOf(list[0].kind === 'argument' ? (namedChildren(list[0])[0] ?? list[0]) : list[0], body);
  return calledSeam(node, body) ?? 'work';
}

/** `engine(a, b) + 0`, `engine(a, b) * 1`: returns the other operand. */
function besideNeutral(node: SyntaxNode, text: string): SyntaxNode | null {
  const [left, right, ...more] = /^binary/.test(node.kind) ? namedChildren(node) : [];
  if (left === undefined || right === undefined || more.length > 0) return null;
  const neutral = /^[+-]$/.test(operatorText(node, text)) ? '0' : /^[*/]$/.test(operatorText(node, text)) ? '1' : null;
  if (neutral === null) return null;
  return literalOf(right, text) === neutral ? left : literalOf(left, text) === neutral ? right : null;
}

/** `engine ? engine(a, b) : null`, `engine?.(a, b) ?? null`, `engine && engine(a, b)`. */
function chosen(node: SyntaxNode, body: Body): Seam | 'nothing' | 'work' {
  const isTernary = !/^b/.test(node.kind);
  if (!isTernary && !CHOOSES.test(operatorText(node, body.text))) return 'work';
  const condition =
    childOf(node, 'condition') ?? (node.kind === 'conditional_expression' ? namedChildren(node)[1] : null);
  const sides = namedChildren(node).filter((each) => !isTernary || each !== condition);
  const results = sides.map((each) =>
    namesIn(each, body.text).length === 1 && seamOf(namesIn(each, body.text), body) !== null
      ? 'nothing'
      : resultOf(each, body),
  );
  if (results.includes('work')) return 'work';
  return results.find((each) => typeof each === 'object') ?? 'nothing';
}

function operatorText(node: SyntaxNode, text: string): string {
  return node.children
    .filter(({ named }) => !named)
    .map((each) => plainText(each, text))
    .join(' ');
}

function calledNames(call: SyntaxNode, text: string): string[] {
  return calledParts(call).flatMap((each) => namesIn(each, text));
}

const CALLS_BY_NAME = /^call_user_func(?:_array)?$/;

function calledSeam(call: SyntaxNode, body: Body): Seam | null {
  const { text, parameters, isRust } = body;
  const given = argumentList(call);
  const list = namedChildren(given);
  const names = calledNames(call, text);
  const isByName = CALLS_BY_NAME.test(firstText(names));
  const called = isByName ? namesIn(list[0] ?? null, text) : names;
  const seam = seamOf(called, body);
  if (seam === null || called.some((each) => parameters.has(each))) return null;
  const last = lastText(called);
  const isMethod =
    !isByName && /^(?:method_invocation|member_call_expression)$|^call$/.test(call.kind)
      ? last !== seam.name
      : isMember(call);
  if (isMethod && seam.kind === 'table' && OF_TABLES.test(last)) return null;
  if (isMethod && isRust && OF_LOCKS.test(last)) return null;
  const rest = isByName ? list.slice(1) : list;
  const isPlain = rest.every((each) =>
    [...nodesOf(each)].every((one) => !one.named || (!WORK.test(one.kind) && !CALLS.has(one.kind) && !isFunction(one))),
  );
  const isOwn = rest.every((each) => namesIn(each, text).every((name) => isGiven(name, each, body)));
  return isPlain && isOwn ? seam : null;
}

function isMember(call: SyntaxNode): boolean {
  const [called] = calledParts(call);
  return (
    called !== undefined && /^(?:member_expression|attribute|selector_expression|field_expression)$/.test(called.kind)
  );
}

/** Whether a name in an argument is a parameter or part of one. */
function isGiven(name: string, argument: SyntaxNode, { parameters, text }: Body): boolean {
  return (
    parameters.has(name) ||
    OWNERS.test(name) ||
    name === 'arguments' ||
    namesIn(argument, text).some((each) => parameters.has(each))
  );
}
