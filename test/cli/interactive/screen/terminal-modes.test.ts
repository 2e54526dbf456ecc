import { describe, expect, it } from 'vitest';
import { TerminalModes } from '../../../../src/cli/interactive/screen/terminal-modes.ts';

function open(env: Record<string, string> = {}) {
  const written: string[] = [];
  const modes = new TerminalModes((bytes) => written.push(bytes), env);
  modes.begin();
  const receive = (...pieces: string[]) => pieces.map((each) => modes.receive(each)).join('');
  return { modes, receive, written, taken: () => written.splice(0).join('') };
}

describe('the place of the terminal', () => {
  it.each([
    ['nothing', [], 'unknown'],
    ['that it has reports', ['\x1b[?1004;1$y'], 'in-front'],
    ['that it knows no reports', ['\x1b[?1004;0$y'], 'unknown'],
    ['that it lost the focus', ['a\x1b[Ob'], 'away'],
    ['that it got the focus back', ['\x1b[O', '\x1b[I'], 'in-front'],
    ['both in one piece', ['\x1b[I\x1b[O'], 'away'],
    ['that it is away before it says that it has reports', ['\x1b[O\x1b[?1004;1$y'], 'away'],
    ['letters that look like a report', ['[O'], 'unknown'],
  ] as const)('where it says %s', (_, pieces, place) => {
    const { modes, receive } = open();
    expect(receive(...pieces)).toBe(pieces.join(''));
    expect(modes.place).toBe(place);
  });
});

describe('the modes', () => {
  it('the keyboard is switched only where the terminal answers, and once', () => {
    const { receive, modes, taken } = open();
    expect(taken()).toBe('\x1b[?1004h\x1b[?1004$p\x1b[?u');
    receive('abc\x1b[I');
    expect(taken()).toBe('');
    receive('\x1b[?0u\x1b[?5u');
    expect(taken()).toBe('\x1b[>5u');
    modes.end();
    modes.end();
    expect(taken()).toBe('\x1b[?1004l\x1b[<u');
  });

  it('a screen that is closed before its first frame asks for nothing', () => {
    const { modes, taken } = open();
    modes.end();
    taken();
    modes.begin();
    modes.receive('\x1b[?0u');
    expect(taken()).toBe('');
  });

  it('a terminal that does not answer keeps its keyboard', () => {
    const { modes, taken } = open();
    taken();
    modes.end();
    expect(taken()).toBe('\x1b[?1004l');
  });

  it.each([true, false])(
    'another program gets the terminal without them, and they come back (it fails: %s)',
    async (fails) => {
      const { modes, receive, taken } = open();
      receive('\x1b[?0u');
      taken();
      const used = modes.without(() => {
        expect(taken()).toBe('\x1b[?1004l\x1b[<u');
        return fails ? Promise.reject(new Error('gone')) : Promise.resolve();
      });
      await used.catch(() => undefined);
      expect(taken()).toBe('\x1b[?1004h\x1b[>5u');
    },
  );

  it('an answer that comes while another program has the terminal waits for its end', async () => {
    const { modes, receive, taken } = open();
    taken();
    await modes.without(() => {
      receive('\x1b[?0u');
      expect(taken()).toBe('\x1b[?1004l');
      return Promise.resolve();
    });
    expect(taken()).toBe('\x1b[?1004h\x1b[>5u');
  });

  it('come back to no terminal that was given back for good', async () => {
    const { modes, taken } = open();
    taken();
    await modes.without(() => Promise.resolve(modes.end()));
    expect(taken()).toBe('\x1b[?1004l');
  });

  it.each([
    [{ TERM: 'linux' }, ''],
    [{ TERM_PROGRAM: 'Apple_Terminal' }, '\x1b[?1004h\x1b[?u'],
  ])('%j is asked only what it does not print', (env, bytes) => {
    expect(open(env).taken()).toBe(bytes);
  });
});
