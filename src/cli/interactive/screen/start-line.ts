import { StringDecoder } from 'node:string_decoder';
import type { WriteStream } from 'node:tty';
import { beforeSignalledEnd } from '../../../lib/ending-signals.ts';
import type { SignalledProcess } from '../../../lib/ending-signals.ts';

/** The used part of a process's terminal. */
export interface StartTerminal extends SignalledProcess {
  readonly stdin: Pick<NodeJS.ReadStream, 'on' | 'off' | 'read' | 'unshift' | 'listenerCount' | 'setRawMode' | 'isTTY'>;
  readonly stdout: Pick<WriteStream, 'write' | 'isTTY' | 'columns'>;
  readonly stderr: Pick<WriteStream, 'write' | 'isTTY'>;
}

/**
 * Options of a session in the terminal, and whether a value follows. Any other option may print something else. The table of the command is not
 * loaded, because that takes as long as the rest of the program. A test compares the two.
 */
export const START_OPTIONS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    '--allow-root': false,
    '--approve': true,
    '--base-url': true,
    '--continue': false,
    '-c': false,
    '--effort': true,
    '--fork': false,
    '--max-cost': true,
    '--max-duration': true,
    '--max-tokens': true,
    '--max-turns': true,
    '--mode': true,
    '--model': true,
    '--project': true,
  }),
);

/**
 * Erases the two rows. The first row is erased from its second column on, because tmux puts a screen that is erased from its first cell on into the
 * scrollback.
 */
const ERASE = '\x1b[1A\x1b[1G\x1b[K\x1b[2G\x1b[J\x1b[1G';
const PROMPT = '> ';
const CTRL_C = 0x03;

/**
 * Shows that a session in the terminal starts, and what is typed meanwhile, because loading the program takes some hundred milliseconds. It ends with
 * the first other output of the process: then its rows are erased, and what was typed becomes standard input again. Does nothing if the command line
 * may request something else, or if there is no terminal that draws.
 */
export function showStartLine(
  argv: readonly string[],
  version: string,
  { stdin, stdout, stderr, signals, raise }: StartTerminal,
  env: Readonly<Record<string, string | undefined>>,
): { readonly end: () => void } {
  if (!startsSession(argv) || !stdin.isTTY || !stdout.isTTY || env['TERM'] === 'dumb') return { end: () => undefined };

  const typed: Buffer[] = [];
  const decoder = new StringDecoder('utf8');
  let shown = '';
  const take = (): void => {
    for (let piece: unknown = stdin.read(); Buffer.isBuffer(piece); piece = stdin.read()) {
      // In raw mode it is no signal.
      if (piece.includes(CTRL_C)) raise('SIGINT');
      const kept = Buffer.from(piece.filter((byte) => byte !== CTRL_C));
      typed.push(kept);
      shown += decoder.write(kept);
    }
    writeOut(`\x1b[1G\x1b[K${PROMPT}${lastPart(shown, (stdout.columns || 80) - PROMPT.length - 1)}`);
  };

  const outputs = [stdout, ...(stderr.isTTY ? [stderr] : [])];
  const writeOut = stdout.write.bind(stdout) as (text: string) => boolean;
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    // Restores the method of their class.
    for (const output of outputs) Reflect.deleteProperty(output, 'write');
    stopWatching();
    stdin.off('readable', take);
    // Otherwise the screen already reads, with its own raw mode.
    if (stdin.listenerCount('readable') === 0) stdin.setRawMode(false);
    writeOut(ERASE);
    // In the form in which the system delivers lines that were typed outside of raw mode.
    const lines = Buffer.concat(typed).map((byte) => (byte === 0x0d ? 0x0a : byte));
    if (lines.length > 0) stdin.unshift(Buffer.from(lines));
  };
  const restore = (): void => {
    end();
    stdin.setRawMode(false);
  };
  const stopWatching = beforeSignalledEnd(restore, { signals, raise });
  for (const output of outputs) {
    output.write = ((...given: Parameters<typeof output.write>) => {
      end();
      return output.write(...given);
    }) as typeof output.write;
  }

  // First, so that the terminal itself never moves the cursor for a key.
  stdin.setRawMode(true);
  const name = `fluffy ${version}`;
  writeOut(`${(env['NO_COLOR'] ?? '') === '' ? `\x1b[2m${name}\x1b[22m` : name}\r\n${PROMPT}`);
  stdin.on('readable', take);
  return { end };
}

function startsSession(argv: readonly string[]): boolean {
  for (let index = 0; index < argv.length; index += 1) {
    const [name = '', ...value] = (argv[index] ?? '').split('=');
    const takesValue = START_OPTIONS.get(name);
    if (takesValue === undefined) return false;
    if (!takesValue || value.length > 0) continue;
    index += 1;
    if ((argv[index] ?? '-').startsWith('-')) return false;
  }
  return true;
}

/**
 * The end of the typed text, in at most `cells` columns: a character outside of ASCII may take two. Enter is shown as a sign, other control
 * characters are left out.
 */
function lastPart(text: string, cells: number): string {
  const visible: string[] = [];
  for (const character of text.replaceAll('\r', '⏎ ')) {
    if (character === '\x7f') visible.pop();
    else if (!/\p{Cc}|\p{Cf}/u.test(character)) visible.push(character);
  }
  let left = cells;
  let from = visible.length;
  while (from > 0) {
    left -= /^[ -~]$/.test(visible[from - 1] ?? '') ? 1 : 2;
    if (left < 0) break;
    from -= 1;
  }
  return visible.slice(from).join('');
}
