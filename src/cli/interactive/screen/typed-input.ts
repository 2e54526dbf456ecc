import { WholeSequences } from './whole-sequences.ts';
import type { SequenceParts } from './whole-sequences.ts';

export interface TypedInputParts extends Pick<SequenceParts, 'nowMs' | 'after' | 'sendsEscape'> {
  /** Gets each piece of input, and may take something out of it. */
  readonly take: (input: string) => string;
}

/**
 * The form in which xterm, and tmux with its `extended-keys`, send a key without a sequence of its own, such as Shift-Enter. Ink knows the form of
 * the kitty protocol.
 */
const OTHER_KEY = /\x1b\[27;(\d+);(\d+)~/g;
/** How the kitty protocol sends a key of another alphabet, with that of a Latin keyboard in its place. */
const OTHER_ALPHABET = /\x1b\[(\d{4,}):\d*:(\d+);(\d+)/g;
const CTRL_OR_ALT = 6;
/** An answer of the terminal (OSC, DCS), to whoever asked. */
const ANSWER = /\x1b(?:\]\d|P[\d>+$])[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/**
 * The terminal's input for Ink: without replies to Fluffy's queries, and with text typed before raw mode as key presses. Until then the system turned
 * each Enter into a line feed and delivers all lines in one piece. Here each line is a piece of its own with a carriage return at its end, so that
 * none is taken for a line of a paste.
 */
export function typedInput(stdin: NodeJS.ReadStream, { take, ...parts }: TypedInputParts): NodeJS.ReadStream {
  let isFirst = true;
  const ready: string[] = [];
  const sequences = new WholeSequences({
    ...parts,
    onLate: (input) => {
      ready.push(typed(input));
      stdin.emit('readable');
    },
  });
  const pieces = (input: string): readonly string[] => {
    if (!isFirst) return [input];
    isFirst = false;
    return linesOf(input);
  };
  const typed = (input: string): string => take(usualKeys(input)).replaceAll(ANSWER, '');
  const read = (): unknown => {
    for (;;) {
      const next = ready.shift();
      // Only null ends the input.
      if (next === '') continue;
      if (next !== undefined) return next;
      const chunk: unknown = stdin.read();
      if (typeof chunk !== 'string') return chunk;
      ready.push(...pieces(chunk).map((piece) => typed(sequences.take(piece))));
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

/** What the system keeps of a Ctrl-D from before raw mode. */
const END_OF_FILE = '\0';
const CTRL_D = '\x04';

/** Lines with the carriage return that Enter sends; the last one may lack it. */
function linesOf(early: string): readonly string[] {
  const typed = early.replaceAll(END_OF_FILE, CTRL_D);
  return (typed.match(/[^\n]*\n|[^\n]+/g) ?? []).map((line) => line.replace(/\n$/, '\r'));
}
