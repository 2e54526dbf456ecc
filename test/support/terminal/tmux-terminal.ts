import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Rows that are kept when they scroll off the screen. */
  readonly historyRows?: number;
}

export interface TmuxTerminal {
  /** What is on the screen now, without blanks at the ends of rows. */
  screen(): string;
  /** The rows of the screen with their colours, as SGR sequences. */
  coloured(): readonly string[];
  /** The screen with everything that scrolled off it. */
  scrollback(): string;
  /** The same, each row that the terminal itself has broken in one piece. */
  unbroken(): string;
  /** Every byte the program has written. */
  bytes(): string;
  /** What the program has set as the title of the terminal. */
  title(): string;
  /** Rows that have scrolled off the screen, and the cursor's place on it. */
  position(): { readonly scrollback: number; readonly x: number; readonly y: number };
  /** Keys by their tmux names: `Enter`, `C-c`, `Up`. */
  press(...keys: string[]): void;
  type(text: string): void;
  /** Types a line and enters it. */
  enter(line: string): void;
  /** Puts bytes into the program's input as they are, as a terminal does that reports by itself. */
  report(bytes: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves to the screen as soon as it, or the scrollback, shows this. Throws with the screen when it doesn't come. */
  shows(pattern: RegExp, timeoutMs?: number): Promise<string>;
  /** Resolves to the exit code when the program has ended, and the terminal has drawn all that it wrote. */
  ended(timeoutMs?: number): Promise<number>;
  close(): void;
}

const LOOK_EVERY_MS = 50;
const TIMEOUT_MS = 90_000;
const WAITING = 'waiting to start';

/** Runs a program in a terminal of its own: a private tmux server, which records every byte. Needs tmux; `npm test` sees to it. */
export function openTmuxTerminal(options: TerminalOptions): TmuxTerminal {
  requireTmux();
  const directory = mkdtempSync(join(tmpdir(), 'fluffy-tty-'));
  const recording = join(directory, 'bytes');
  const settings = join(directory, 'tmux.conf');
  // A pane takes the limit that is there when it begins.
  writeFileSync(settings, `set -g history-limit ${options.historyRows ?? 20_000}\nset -g focus-events on\n`);
  writeFileSync(recording, '');
  const environment = { PATH: process.env['PATH'] ?? '', ...options.env, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', join(directory, 'socket'), '-f', settings, ...args], {
      encoding: 'utf8',
      env: environment,
      maxBuffer: 2 ** 28,
    });
  const size = ['-x', String(options.columns), '-y', String(options.rows)];
  // The program waits for a line until it is being recorded. The shell says how it ended as the title of the terminal: a title is set when all that was
  // written before it has been drawn.
  const held = [
    'sh',
    '-c',
    `trap : INT; stty -echo; printf '\\033]2;${WAITING}\\007'; read -r _; stty echo; "$@"; printf '\\033]2;ended with %s\\007' $?; while :; do sleep 600; done`,
    'sh',
    ...options.command,
  ];
  tmux('new-session', '-d', '-s', 'it', ...size, '-c', options.cwd, ...held);
  // Before that, the line would be echoed.
  const startedMs = Date.now();
  while (tmux('display-message', '-p', '-t', 'it', '#{pane_title}').trim() !== WAITING)
    if (Date.now() - startedMs > TIMEOUT_MS) throw new Error('The shell of the terminal did not start');
  tmux('pipe-pane', '-t', 'it', `cat >> '${recording}'`);
  tmux('send-keys', '-t', 'it', 'Enter');

  const capture = (...args: string[]) => tmux('capture-pane', '-p', '-t', 'it', ...args).replace(/[ \t]+$/gm, '');
  const screen = () => capture();
  const scrollback = () => capture('-S', '-');
  const told = (what: string) => tmux('display-message', '-p', '-t', 'it', what).trim();
  const title = () => told('#{pane_title}');
  const until = async <T>(what: string, timeoutMs: number, look: () => T | null): Promise<T> => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = look();
      if (found !== null) return found;
      if (Date.now() > deadline) throw new Error(`${what} did not come within ${timeoutMs} ms:\n${scrollback()}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  };

  return {
    screen,
    coloured: () => tmux('capture-pane', '-p', '-e', '-t', 'it').split('\n'),
    scrollback,
    unbroken: () => capture('-J', '-S', '-'),
    bytes: () => readFileSync(recording, 'utf8'),
    title,
    position() {
      const [scrollback = 0, x = 0, y = 0] = told('#{history_size} #{cursor_x} #{cursor_y}').split(' ').map(Number);
      return { scrollback, x, y };
    },
    press: (...keys) => void tmux('send-keys', '-t', 'it', ...keys),
    type: (text) => void tmux('send-keys', '-t', 'it', '-l', text),
    enter(line) {
      tmux('send-keys', '-t', 'it', '-l', line);
      tmux('send-keys', '-t', 'it', 'Enter');
    },
    report: (bytes) =>
      void tmux('send-keys', '-t', 'it', '-H', ...[...Buffer.from(bytes)].map((byte) => byte.toString(16))),
    resize: (columns, rows) => void tmux('resize-window', '-t', 'it', '-x', String(columns), '-y', String(rows)),
    shows: (pattern, timeoutMs = TIMEOUT_MS) =>
      until(String(pattern), timeoutMs, () => (pattern.test(scrollback()) ? screen() : null)),
    ended: (timeoutMs = TIMEOUT_MS) =>
      until('the end of the program', timeoutMs, () => {
        const [, code] = /^ended with (\d+)$/.exec(title()) ?? [];
        return code === undefined ? null : Number(code);
      }),
    close() {
      spawnSync('tmux', ['-S', join(directory, 'socket'), 'kill-server'], { env: environment });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function requireTmux(): void {
  const found = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (found.status === 0) return;
  throw new Error('These tests drive a real terminal with tmux, which is not installed. Debian: apt-get install tmux');
}
