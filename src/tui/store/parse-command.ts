import { SESSION_MODES } from '../../contracts/workflow-states.ts';
import type { SessionMode } from '../../contracts/workflow-states.ts';
import { editDistance } from '../../lib/nearest-word.ts';

/** What a line that was entered asks for. */
export type Command =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'mode'; readonly mode: SessionMode }
  | { readonly kind: 'describe'; readonly what: 'status' | 'budget' | 'why' | 'diff' }
  | { readonly kind: 'help' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'misused'; readonly usage: string }
  | { readonly kind: 'unknown'; readonly word: string; readonly nearest: string }
  | { readonly kind: 'nothing' };

/** Every command with what it does, in the order of /help. */
export const COMMANDS: Readonly<Record<string, string>> = {
  '/strict': 'tests first: the source opens once a new test has failed',
  '/explore': 'no test has to fail first; commits are marked unverified',
  '/debug': 'look around and run commands, each with your approval',
  '/status': 'session, state, plan, red tests, what waits',
  '/budget': 'turns, tokens and money, and their limits',
  '/why': 'the last refusal: every rule behind it, and what would change it',
  '/diff': 'everything that is staged',
  '/approve': 'sign and carry out exactly what the review shows',
  '/reject': '/reject "why": send it back to the model with the reason',
  '/reset': 'drop what is staged and go back to idle',
  '/undo': "take this session's last commit back, if nobody has changed its files since",
  '/help': 'this list',
  '/quit': 'leave; the session is kept',
};

/** A line that begins with a slash is a command; with a blank before it, it is text. */
export function parseCommand(line: string): Command {
  if (line.trim() === '') return { kind: 'nothing' };
  if (!line.startsWith('/')) return { kind: 'message', text: line.trim() };
  const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  if (word === '/reject') {
    const reason = unquote(rest);
    return reason === '' ? { kind: 'misused', usage: '/reject "why"' } : { kind: 'reject', reason };
  }
  if (!(word in COMMANDS)) return { kind: 'unknown', word, nearest: nearestCommand(word) };
  if (rest !== '') return { kind: 'misused', usage: word };
  const mode = SESSION_MODES.find((each) => word === `/${each}`);
  if (mode !== undefined) return { kind: 'mode', mode };
  switch (word) {
    case '/status':
      return { kind: 'describe', what: 'status' };
    case '/budget':
      return { kind: 'describe', what: 'budget' };
    case '/why':
      return { kind: 'describe', what: 'why' };
    case '/diff':
      return { kind: 'describe', what: 'diff' };
    case '/approve':
      return { kind: 'approve' };
    case '/reset':
      return { kind: 'reset' };
    case '/undo':
      return { kind: 'undo' };
    case '/quit':
      return { kind: 'quit' };
    default:
      return { kind: 'help' };
  }
}

/** The only command that begins like this, or null: what Tab fills in. */
export function completeCommand(text: string): string | null {
  if (!/^\/\S*$/.test(text)) return null;
  const fitting = Object.keys(COMMANDS).filter((name) => name.startsWith(text));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

export function nearestCommand(word: string): string {
  const [nearest] = Object.keys(COMMANDS)
    .map((name) => ({ name, away: name.startsWith(word) ? 0 : editDistance(word.slice(0, 40), name) }))
    .sort((a, b) => a.away - b.away);
  return nearest?.name ?? '/help';
}

function unquote(text: string): string {
  const quoted = /^(["'])([\s\S]*)\1$/.exec(text.trim());
  return (quoted?.[2] ?? text).trim();
}
