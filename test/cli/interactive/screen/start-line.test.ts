import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../../../src/cli/command-line/cli-command.ts';
import type { OptionTable } from '../../../../src/cli/command-line/cli-command.ts';
import { run } from '../../../../src/cli/commands/run.ts';
import { ENDING_SIGNALS } from '../../../../src/lib/ending-signals.ts';
import { showStartLine, START_OPTIONS } from '../../../../src/cli/interactive/screen/start-line.ts';
import type { StartTerminal } from '../../../../src/cli/interactive/screen/start-line.ts';

const ERASED = '\x1b[1A\x1b[1G\x1b[K\x1b[2G\x1b[J\x1b[1G';
const DRAWN = '\x1b[2mfluffy 1.2.3\x1b[22m\r\n> ';

class Terminal extends Writable {
  readonly isTTY = true;
  columns = 20;
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function begin(argv: readonly string[], env: Record<string, string> = {}, hasTerminal = true) {
  const raw: boolean[] = [];
  const raised: string[] = [];
  const signals = new EventEmitter();
  const stdin = Object.assign(new PassThrough(), {
    isTTY: hasTerminal,
    setRawMode: (mode: boolean) => void raw.push(mode),
  });
  const stdout = new Terminal();
  const stderr = new Terminal();
  const { end } = showStartLine(
    argv,
    '1.2.3',
    { stdin, stdout, stderr, signals, raise: (signal: string) => raised.push(signal) } as unknown as StartTerminal,
    env,
  );
  return { stdin, stdout, stderr, raw, raised, signals, end };
}

const readAfter = async (stdin: PassThrough, text: string): Promise<void> => {
  stdin.write(text);
  await new Promise((resolve) => setImmediate(resolve));
};

it.each([
  [[]],
  [['--model', 'openai/gpt-5.5', '--mode=explore']],
  [['-c', '--fork', '--project', '/srv/a']],
  [['--allow-root', '--max-turns=3', '--max-duration', '10m']],
])('a session in the terminal shows at once that it starts: %j', (argv) => {
  const { stdout, raw } = begin(argv);
  expect(stdout.text).toBe(DRAWN);
  expect(raw).toEqual([true]);
});

it.each([
  ['a task', ['fix it'], {}, true],
  ['a command', ['doctor'], {}, true],
  ['a task with a name that each object has', ['constructor', 'x'], {}, true],
  ['a run without a terminal', ['-p', 'x'], {}, true],
  ['help', ['--help'], {}, true],
  ['lines for a screen reader', ['--screen-reader'], {}, true],
  ['an option without its value', ['--model'], {}, true],
  ['an option in the place of a value', ['--model', '--help'], {}, true],
  ['a terminal that draws nothing', [], { TERM: 'dumb' }, true],
  ['no terminal', [], {}, false],
])('%s shows nothing and leaves the terminal as it is', (_what, argv, env, hasTerminal) => {
  const { stdout, raw, end } = begin(argv, env as Record<string, string>, hasTerminal);
  end();
  expect(stdout.text).toBe('');
  expect(raw).toEqual([]);
});

it('has no colours where none are wanted', () => {
  expect(begin([], { NO_COLOR: '1' }).stdout.text).toBe('fluffy 1.2.3\r\n> ');
});

it('shows what is typed, its end where it is long, and no control character', async () => {
  const { stdin, stdout } = begin([]);
  await readAfter(stdin, 'ax\x7f\x1b[Db\r');
  expect(stdout.text.slice(DRAWN.length)).toBe('\x1b[1G\x1b[K> a[Db⏎ ');
  await readAfter(stdin, '0123456789日本語');
  expect(stdout.text.slice(stdout.text.lastIndexOf('\x1b[K'))).toBe('\x1b[K>  0123456789日本語');
});

it.each(['stdout', 'stderr'] as const)('ends before the first output to %s, which goes on as usual', async (name) => {
  const begun = begin([]);
  await readAfter(begun.stdin, 'one\rtwo');
  begun.stdout.text = '';
  begun[name].write('first');
  begun[name].write(' second');
  expect([begun.stdout.text, begun.stderr.text]).toEqual(
    name === 'stdout' ? [`${ERASED}first second`, ''] : [ERASED, 'first second'],
  );
  expect(begun.raw).toEqual([true, false]);
  // As lines that were typed outside of raw mode.
  expect(String(begun.stdin.read())).toBe('one\ntwo');
  begun.end();
  expect(begun.raw).toEqual([true, false]);
});

it('leaves raw mode to a screen that reads already', () => {
  const { stdin, stdout, raw } = begin([]);
  stdin.on('readable', () => undefined);
  stdout.write('frame');
  expect(raw).toEqual([true]);
});

it('makes an interrupt of Ctrl-C and does not keep the key, and leaves Ctrl-Z and Ctrl-D to the screen', async () => {
  const { stdin, stdout, raised } = begin([]);
  await readAfter(stdin, 'a\x03\x1ab\x04');
  stdout.write('');
  expect(raised).toEqual(['SIGINT']);
  expect(String(stdin.read())).toBe('a\x1ab\x04');
});

it('knows options of a run as they are: with a value, or without one', () => {
  const table: OptionTable = { ...run.options, ...GLOBAL_OPTIONS };
  const options = Object.entries(table).flatMap(([name, { alias, type }]) => {
    const takesValue = type !== 'boolean';
    return [[`--${name}`, takesValue] as const, ...(alias === undefined ? [] : [[`-${alias}`, takesValue] as const])];
  });
  for (const [name, takesValue] of START_OPTIONS) expect(options).toContainEqual([name, takesValue]);
});

it.each(ENDING_SIGNALS)('at %s restores the terminal before the process ends by it', (signal) => {
  const { stdin, stdout, raw, raised, signals } = begin([]);
  // A screen that has not drawn.
  stdin.on('readable', () => undefined);
  signals.emit(signal, signal);
  expect(stdout.text).toBe(`${DRAWN}${ERASED}`);
  expect(raw.at(-1)).toBe(false);
  expect(raised).toEqual([signal]);
  expect(signals.eventNames()).toEqual([]);
});
