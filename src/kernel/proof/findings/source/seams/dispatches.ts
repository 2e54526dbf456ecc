import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, SourceText } from '../../finding.ts';
import { argumentsOf, CALLS, chainOf, FUNCTIONS, lastName, literalOf } from '../../names.ts';
import { argumentList, isFunction, isNothing, nameOfFunction, namesIn } from './syntax.ts';

/** A function whose result is only what listeners write. */
export interface Dispatch {
  readonly name: string;
  readonly line: number;
  /** The text that names the event, for example `'multiply'`; null if there is none. */
  readonly event: string | null;
}

const DISPATCHES =
  /^(?:emit|dispatch|dispatch_?event|publish|trigger|fire|notify|notify_observers|broadcast|send|send_robust|instrument|run_?hooks|apply_filters|do_action)$/i;
const LISTENS =
  /^(?:on|once|off|add_?listener|prepend_?listener|add_?event_?listener|subscribe|connect|receiver|hook|add_?hook|add_?filter|add_?action|add_?observer|register|handle|listen)$/i;
const LOOPS = /^for(?:_\w+)?$|^each$/;
const LOCALS = /^(?:variable_declarator|assignment)$/;
const OBJECTS = /^(?:object|dictionary|hash)$/;
const RETURNS = /^return(?:_statement)?$/;
const CONVERTS = /^(?:Number|String|Boolean|int|str|float|bool|Promise|resolve|get|fetch)$/;

/** Returns the functions that the change adds and that only return what a dispatch call has written. */
export function dispatchesIn(file: InspectedFile): Dispatch[] {
  const own = ownDispatchers(file);
  return [...addedNodes(file)].flatMap((node): Dispatch[] => {
    const name = isFunction(node) ? nameOfFunction(node, file.text) : null;
    const body = name === null ? null : childOf(node, 'body');
    if (name === null || body === null) return [];
    const calls = [...nodesOf(body)].filter((each) => {
      if (!CALLS.has(each.kind)) return false;
      const called = lastName(each, file.text);
      return DISPATCHES.test(called) || own.has(called);
    });
    const written = calls.flatMap((call) => writtenBy(call, body, file.text));
    const isOnly = calls.length > 0 && returnsOnly(body, new Set(written), file.text);
    const [first] = calls.flatMap((call) => argumentsOf(call));
    const event = literalOf(first, file.text);
    return isOnly ? [{ name, line: node.line, event }] : [];
  });
}

/** Functions of the change that call each of several functions: `for fn in handlers: fn(job)`. */
function ownDispatchers({ root, text }: InspectedFile): ReadonlySet<string> {
  const found = [...nodesOf(root)].flatMap((node) => {
    if (!LOOPS.test(node.kind)) return [];
    const each = namesIn(childOf(node, 'left') ?? childOf(node, 'pattern'), text).at(-1);
    const calls = [...nodesOf(node)].filter(({ kind }) => CALLS.has(kind)).map((call) => lastName(call, text));
    const around = above(node, isFunction);
    return each !== undefined && calls.includes(each) && around !== null ? [nameOfFunction(around, text) ?? ''] : [];
  });
  return new Set(found);
}

/** Local variables that a dispatch call can write: an object that it passes on, or variables that a callback assigns. */
function writtenBy(call: SyntaxNode, body: SyntaxNode, text: string): string[] {
  const given = argumentList(call);
  if (given === null) return [];
  const locals = [...nodesOf(body)].flatMap((node) => {
    const name = LOCALS.test(node.kind) ? (childOf(node, 'name') ?? childOf(node, 'left')) : null;
    const isOwn = above(node, isFunction) === body.parent;
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    return name === null || !isOwn ? [] : [{ name: plainText(name, text), value }];
  });
  const passed = new Set(namesIn(given, text));
  const objects = locals.filter(
    ({ name, value }) =>
      passed.has(name) && value !== null && OBJECTS.test(value.kind) && !writesItself(name, body, text),
  );
  const inside = [...nodesOf(given)].filter(({ kind }) => FUNCTIONS.has(kind));
  const assigned = new Set(
    inside.flatMap((each) =>
      [...nodesOf(each)].flatMap((node) => {
        const left = /^assignment/.test(node.kind) ? childOf(node, 'left') : null;
        return left === null ? [] : [plainText(left, text)];
      }),
    ),
  );
  const empty = locals.filter(
    ({ name, value }) =>
      assigned.has(name) && (isNothing(value, text) || (value !== null && literalOf(value, text) !== null)),
  );
  return [...objects, ...empty].map(({ name }) => name);
}

/** Whether the function computes a member of the object itself, as in a block that is measured. */
function writesItself(object: string, body: SyntaxNode, text: string): boolean {
  return [...nodesOf(body)].some((node) => {
    const [left, right] = /^assignment/.test(node.kind)
      ? [childOf(node, 'left'), childOf(node, 'right')]
      : [null, null];
    const isMember = left !== null && left.children.length > 0 && namesIn(left, text)[0] === object;
    const around = above(node, isFunction);
    const isOwn = around === body.parent || /^(?:do_)?block$/.test(around?.kind ?? '');
    return (
      isMember && isOwn && right !== null && [...nodesOf(right)].some(({ kind }) => CALLS.has(kind) || WORK.test(kind))
    );
  });
}

/** Whether each result is one of these variables, or a member of it that begins without a value of its own. */
function returnsOnly(body: SyntaxNode, written: ReadonlySet<string>, text: string): boolean {
  const results = [...nodesOf(body)].filter(
    (node) => RETURNS.test(node.kind) && above(node, isFunction) === body.parent,
  );
  const tail = namedChildren(body).at(-1);
  const last = tail !== undefined && !/statement$|declaration$/.test(tail.kind) ? [tail] : [];
  const values = [...results.flatMap((each) => namedChildren(each)), ...last].filter(({ kind }) => !RETURNS.test(kind));
  return values.length > 0 && values.every((value) => isWritten(value, body, written, text));
}

const WORK = /^(?:binary(?:_expression|_operator)?|template_substitution|interpolation|\w*comprehension)$/;
const DEFAULTS = /^(?:\?\?|\|\||or)$/;

function isWritten(value: SyntaxNode, body: SyntaxNode, written: ReadonlySet<string>, text: string): boolean {
  if (/^(?:subscript|attribute|call)$/.test(value.kind) && isSignal(value, text)) return true;
  const hasWork = [...nodesOf(value)].some(
    (node) => WORK.test(node.kind) && !DEFAULTS.test(plainText(operatorOf(node) ?? node, text)),
  );
  if (hasWork) return false;
  const [root, member] = namesIn(value, text).filter((each) => !CONVERTS.test(each));
  if (root === undefined || !written.has(root)) return false;
  const name = member ?? /\[['":](\w+)/.exec(plainText(value, text))?.[1];
  if (name === undefined) return true;
  const entry = [...nodesOf(body)].find(
    (node) => node.kind === 'pair' && plainText(childOrSelf(node, 'key'), text).replaceAll(/["':]/g, '') === name,
  );
  const start = childOf(entry, 'value');
  // A list that is returned as it is collects what listeners say.
  return start === null || isNothing(start, text) || literalOf(start, text) !== null;
}

/** `computed.send(…)[0][1]`: the answers of the listeners to a signal of Django that the file makes. */
function isSignal(value: SyntaxNode, text: string): boolean {
  const [signal = '', method = ''] = chainOf(value, text);
  return /^send(?:_robust)?$/.test(method) && new RegExp(String.raw`^${signal} = (?:\w+\.)*Signal\(`, 'm').test(text);
}

/** Whether a source listens to the event itself. */
export function listensTo({ event }: Dispatch, { root, text }: SourceText): boolean {
  return [...nodesOf(root)].some((node) => {
    if (!CALLS.has(node.kind) || !LISTENS.test(lastName(node, text)) || above(node, isFunction) !== null) return false;
    const [first] = argumentsOf(node);
    const name = literalOf(first, text);
    return name === null || event === null || name === event;
  });
}

/** Decorators of tests and of classes. They give no function to a source. */
const OF_TESTS =
  /^@(?:pytest|mock|patch|unittest|parameterized|given|settings|property|staticmethod|classmethod|freeze_time|contextmanager|dataclass|functools|override_settings|tag|skip\w*)\b/;

/** Returns the places of a test that give a function to a source: calls of `on` and the like, and decorated functions. */
export function listenersIn({ root, text }: SourceText): SyntaxNode[] {
  return [...nodesOf(root)].filter((node) => {
    if (node.kind === 'decorated_definition')
      return namedChildren(node).some((each) => each.kind === 'decorator' && !OF_TESTS.test(plainText(each, text)));
    return CALLS.has(node.kind) && LISTENS.test(lastName(node, text));
  });
}
