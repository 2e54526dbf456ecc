import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { argumentsOf, callsIn, FUNCTIONS, lastName } from '../findings/names.ts';
import { isProtecting } from '../kept/effects/protecting-names.ts';
import { childOf, kindOf, nodesOf, plainText } from '../syntax/walk.ts';
import { isLogging } from './mutators/remove-statement.ts';
import { isReaching } from './reaching-names.ts';

/** What is only kept for later is rarely tested. */
const KEPT = /cache|memo|timer|handle/i;

export function isKept(written: string): boolean {
  return KEPT.test(written);
}

/** Calls that end what was begun, that wait or fail, or that are not worth a test. */
const ORDINARY =
  /^(?:f?close|curl_close|clear\w*|cancel|abort|dispose|release|unref|destroy|unsubscribe|removeListener|removeAllListeners|removeEventListener|off|flush|free|join|done|end|timeEnd|stop|finish|detach|preventDefault|stopPropagation|freeze|super|unlock|rollback|setDaemon|u?sleep|wait|delay|pause|throwIfAborted|requireNonNull|raise_for_status|setMaxListeners|basicConfig|setLevel)$/i;
const LOADS = /^(?:require|require_relative|require_once|import|load)$/;
const ERRORS = /^(?:e|ex|exc|err|error|exception)$/i;
const SECRET =
  /pass(?:word|wd|phrase|code)|secret|token|credential|api_?key|private_?key|session|cookie|authorization|\benv\b|environ|headers|\biban\b|\bssn\b|card/i;

/** Whether a node calls something that reaches what a test should see. */
export function callsForeign(node: SyntaxNode, text: string): boolean {
  const calls = callsIn(node);
  const outputs = calls.filter((call) => isOutput(call, text));
  return calls.some((call) => {
    const isShown = outputs.some((each) => each !== call && each.start <= call.start && call.end <= each.end);
    return isShown ? isReachingFrom(call, text) : isForeign(call, text);
  });
}

/** Whether a call whose value is only shown does more than give this value. */
function isReachingFrom(call: SyntaxNode, text: string): boolean {
  const name = lastName(call, text);
  return isReaching(name) && !/log|print/i.test(name) && isForeign(call, text);
}

function isForeign(call: SyntaxNode, text: string): boolean {
  const name = lastName(call, text);
  if (
    ORDINARY.test(name) ||
    LOADS.test(name) ||
    isProtecting(name) ||
    isKept(plainText(childOf(call, 'function'), text))
  )
    return false;
  return isOutput(call, text) ? showsData(call, text) : !listensOrdinarily(call, text);
}

const LISTENS = /^(?:on|once|addListener|addEventListener|catch)$/;
/** Such a listener decides whether its program goes on. */
const KEEPS_RUNNING = /uncaught|unhandled/i;

/** `process.on('SIGTERM', () => server.close())`: what a listener does is in the function that it is given. */
function listensOrdinarily(call: SyntaxNode, text: string): boolean {
  if (!LISTENS.test(lastName(call, text)) || KEEPS_RUNNING.test(plainText(call, text))) return false;
  const handler = argumentsOf(call).at(-1);
  if (handler === undefined || !FUNCTIONS.has(handler.kind)) return false;
  return callsIn(handler).length > 0 && !callsForeign(handler, text);
}

const PRINTS = /^(?:print|println|puts|echo|p|pp|printf|print_r|var_dump|error_log|dbg|eprintln|Print\w*|warn)!?$/;
const LOGS =
  /(?:^|[.$_>@])(?:log(?:ger|ging|rus)?|slog|console|span|performance|System\.(?:out|err))(?:\(\))?(?:[?&]?\.|\??->|::)\w+\($|(?:^|\.)stderr\??\.write\($/i;
/** Logs that are built up: `logrus.WithField("id", id).Info("added")`. */
const BUILDS_LOG = /^(?:log(?:ger|rus)?|slog)\.With\w*\([^]*\)\.\w+\($/;
const MACROS = /^(?:trace|debug|info|warn|error)$/;

/** Whether a call writes to a log or to the standard output. */
function isOutput(call: SyntaxNode, text: string): boolean {
  const name = lastName(call, text);
  if (PRINTS.test(name)) return true;
  if (kindOf(call) === 'macro_invocation') return MACROS.test(name);
  // What is called in its arguments says nothing about the call itself: `send(user, () => console.log('sent'))`.
  const end = (childOf(call, 'arguments') ?? childOf(call, 'block'))?.start ?? call.end;
  const called = `${text.slice(call.start, end).replaceAll(/\s+/g, '')}(`;
  return isLogging(called) || LOGS.test(called) || BUILDS_LOG.test(called);
}

/** Whether an output shows something secret, or data without a word about it. A message is not worth a test. */
function showsData(call: SyntaxNode, text: string): boolean {
  const given = argumentsOf(call);
  const written = given.map((each) => plainText(each, text));
  if (written.some((each) => SECRET.test(each))) return true;
  const texts = [...nodesOf(call)].filter(({ kind }) => /string|template|^pair$/.test(kind));
  if (kindOf(call) === 'macro_invocation') return SECRET.test(plainText(call, text));
  return given.length > 0 && texts.length === 0 && !written.every((each) => ERRORS.test(each));
}
