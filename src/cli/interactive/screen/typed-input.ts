import type { BackgroundReply } from './background-query.ts';

/**
 * The form in which xterm, and tmux with its `extended-keys`, send a key without a sequence of its own, such as Shift-Enter. Ink knows the form of
 * the kitty protocol.
 */
const OTHER_KEY = /\x1b\[27;(\d+);(\d+)~/g;
/** How the kitty protocol sends a key of another alphabet, with that of a Latin keyboard in its place. */
const OTHER_ALPHABET = /\x1b\[(\d{4,}):\d*:(\d+);(\d+)/g;
const CTRL_OR_ALT = 6;

/**
 * The terminal's input for Ink: without replies to Fluffy's queries, and with text typed before raw mode as key presses. Until then the system turned
 * each Enter into a line feed and delivers all lines in one piece. Here each line is a piece of its own with a carriage return at its end, so that
 * none is taken for a line of a paste.
 */
export function typedInput(stdin: NodeJS.ReadStream, reply: Pick<BackgroundReply, 'take'>): NodeJS.ReadStream {
  let isFirst = true;
  const early: string[] = [];
  const next = (): unknown => {
    if (early.length > 0) return early.shift();
    const read: unknown = stdin.read();
    const chunk = typeof read === 'string' ? usualKeys(read) : read;
    if (typeof chunk !== 'string' || !isFirst) return chunk;
    isFirst = false;
    early.push(...linesOf(chunk));
    return early.shift() ?? '';
  };
  const read = (): unknown => {
    for (;;) {
      const chunk = next();
      if (typeof chunk !== 'string') return chunk;
      const kept = reply.take(chunk);
      // Only null ends the input.
      if (kept !== '') return kept;
    }
  };
  return new Proxy(stdin, {
    get(target, name) {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Keys in the form that Ink knows. With Ctrl or Alt the place of a key counts, as for terminals without the protocol. */
function usualKeys(input: string): string {
  return input
    .replaceAll(OTHER_KEY, '\x1b[$2;$1u')
    .replaceAll(OTHER_ALPHABET, (whole, _: string, latin: string, modifiers: string) =>
      ((Number(modifiers) - 1) & CTRL_OR_ALT) === 0 ? whole : `\x1b[${latin};${modifiers}`,
    );
}

/** Lines with the carriage return that Enter sends; the last one may lack it. */
function linesOf(typed: string): readonly string[] {
  return (typed.match(/[^\n]*\n|[^\n]+/g) ?? []).map((line) => line.replace(/\n$/, '\r'));
}
