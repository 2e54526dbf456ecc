import { describe, expect, it } from 'vitest';
import { printerFor } from '../../../src/cli/headless/printer.ts';
import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import { capturedOutput } from '../../support/cli/captured-output.ts';

/** What is printed of these events, as text for people. */
function printed(
  events: readonly EventBody[],
  verbose = false,
  columns: number | null = null,
): { stdout: string; stderr: string } {
  const output = capturedOutput(columns);
  const printer = printerFor('text', output, verbose);
  for (const [seq, event] of events.entries())
    printer.event({ ...event, session_id: 's_1', seq: seq + 1, ts: 0 } as unknown as FluffyEvent);
  return output.text;
}

const decision = (word: 'allowed' | 'denied' | 'review_required' | 'allowed_by_token'): EventBody => ({
  type: 'policy.decision',
  call_id: 'c1',
  syscall: 'fs.write',
  target: 'src/a.ts',
  decision: word,
  rules: ['closed'],
  reason: 'because',
});

describe('what people read of a decision', () => {
  it.each(['allowed', 'allowed_by_token'] as const)('is nothing where it was %s, unless they ask for it', (word) => {
    expect(printed([decision(word)])).toEqual({ stdout: '', stderr: '' });
    expect(printed([decision(word)], true).stderr).toBe(`  policy ${word}: fs.write src/a.ts (closed) because\n`);
  });

  it.each(['denied', 'review_required'] as const)('is a line where it was %s', (word) => {
    expect(printed([decision(word)]).stderr).toBe(`  policy ${word}: fs.write src/a.ts (closed) because\n`);
  });

  it('cannot move their cursor', () => {
    const { stderr } = printed([{ ...decision('denied'), reason: 'a\u001b[2J\nb' } as EventBody]);
    expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
  });
});

describe('a line that is longer than the terminal', () => {
  const words = 'they fail without it and pass with it, and each of them does so in every single run';
  const long: EventBody = { ...decision('denied'), reason: words } as EventBody;
  const line = `  policy denied: fs.write src/a.ts (closed) ${words}`;

  it('is broken between words, and goes on further in', () => {
    const rows = printed([long], false, 60).stderr.trimEnd().split('\n');
    expect(rows.length).toBe(3);
    expect(rows.every((row) => row.length <= 60)).toBe(true);
    expect(rows.slice(1).every((row) => /^ {4}\S/.test(row))).toBe(true);
    expect(rows.map((row) => row.trim()).join(' ')).toBe(line.trim());
  });

  it.each([null, 30, 400])('is one line where there is no terminal, a narrow one or room enough: %s', (columns) => {
    expect(printed([long], false, columns).stderr).toBe(`${line}\n`);
  });

  it('loses nothing of a word that is longer than a row', () => {
    const rows = printed([{ type: 'text.delta', text: `${'a'.repeat(150)}\n` }], false, 60)
      .stderr.trimEnd()
      .split('\n');
    expect(rows.map((row) => row.trim()).join('')).toBe('a'.repeat(150));
  });
});

describe('what people read of a call', () => {
  const started = (input: unknown, summary?: string): EventBody => ({
    type: 'tool.started',
    call_id: 'c1',
    tool: 'fs.write',
    input,
    ...(summary === undefined ? {} : { summary }),
  });

  it.each<[string, EventBody, readonly string[]]>([
    ['its path', started({ path: 'a.js' }), ['  fs.write a.js']],
    [
      'a text of several lines, below its name',
      started({ path: 'a.js', content: 'one\n\ntwo\n' }),
      ['  fs.write a.js', '    content:', '      one', '      ', '      two'],
    ],
    [
      'what its own words leave out',
      started({ path: 'a.js', limit: 3, ids: ['x'] }, 'a.js from line 1'),
      ['  fs.write a.js from line 1', '    path: a.js', '    limit: 3', '    ids: ["x"]'],
    ],
    ['input without a path once', started({ a: 1 }), ['  fs.write {"a":1}']],
    ['nothing where there is no input', started({}), ['  fs.write']],
  ])('is %s', (_, event, lines) => {
    expect(printed([event])).toEqual({ stdout: '', stderr: '' });
    expect(printed([event], true).stderr).toBe(`${lines.join('\n')}\n`);
  });

  it('is cut where it has too many lines', () => {
    const rows = printed([started({ path: 'a.js', content: 'x\n'.repeat(1000) })], true)
      .stderr.trimEnd()
      .split('\n');
    expect(rows).toHaveLength(202);
    expect(rows.at(-1)).toBe('    … 801 more lines');
  });
});

it('nothing is printed between the end of an answer and what follows', () => {
  const answer: readonly EventBody[] = [
    { type: 'text.delta', text: 'One\nanswer' },
    { type: 'text.done', text: 'One\nanswer' },
    { type: 'usage', input_tokens: 1, output_tokens: 2, cache_read_tokens: 0 },
  ];
  expect(printed(answer, true).stderr).toBe('One\nanswer\n  tokens: 1 in, 2 out\n');
  expect(printed(answer).stderr).toBe('One\nanswer\n');
});
