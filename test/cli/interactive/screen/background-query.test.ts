import { describe, expect, it } from 'vitest';
import {
  askForBackground,
  BACKGROUND_QUERY,
  BackgroundReply,
} from '../../../../src/cli/interactive/screen/background-query.ts';
import { ViewStore } from '../../../../src/tui/store/view-store.ts';
import { freshView } from '../../../tui/event-stream.ts';

function listen() {
  const found: boolean[] = [];
  const reply = new BackgroundReply((isLight) => found.push(isLight));
  return { found, take: (input: string) => reply.take(input) };
}

describe('the reply to OSC 11', () => {
  it.each([
    ['\x1b]11;rgb:ffff/ffff/ffff\x1b\\', true],
    ['\x1b]11;rgb:1e1e/1e1e/1e1e\x07', false],
    ['\x1b]11;rgb:fd/f6/e3\x07', true],
    ['\x1b]11;rgba:0000/2b2b/3636/ffff\x1b\\', false],
  ])('%j', (text, isLight) => {
    const { found, take } = listen();
    expect(take(text)).toBe('');
    expect(found).toEqual([isLight]);
  });

  it('is taken out of what is typed', () => {
    const { found, take } = listen();
    expect(take('ab\x1b]11;rgb:ffff/ffff/ffff\x1b\\cd')).toBe('abcd');
    expect(found).toEqual([true]);
  });

  it.each(['\x1b', '\x1b[A', '\x1b]0;title\x07', 'a]11;', '\x1bOP'])('is not %j', (key) => {
    expect(listen().take(key)).toBe(key);
  });
});

describe('the theme', () => {
  function ask(asks: boolean, env: Record<string, string> = {}) {
    const store = new ViewStore(freshView(), { nowMs: () => 0, after: () => undefined });
    const question = askForBackground({ store, asks }, env);
    const written: string[] = [];
    question.ask((bytes) => written.push(bytes));
    return { store, question, written };
  }

  it('follows the background', async () => {
    const { store, question, written } = ask(true);
    expect(written).toEqual([BACKGROUND_QUERY]);
    question.reply.take('\x1b]11;rgb:ffff/ffff/ffff\x07');
    expect(store.current.theme).toBe('light');
    await question.settled();
  });

  it('is left alone once the person has chosen', () => {
    const { store, question } = ask(true);
    store.dispatch({ kind: 'theme', theme: 'contrast' });
    question.reply.take('\x1b]11;rgb:ffff/ffff/ffff\x07');
    expect(store.current.theme).toBe('contrast');
  });

  it.each([
    ['is configured', false, {}],
    ['would be asked of the console of Linux', true, { TERM: 'linux' }],
  ])('is not asked for where it %s', (_, follows, env) => {
    const { written } = ask(follows, env);
    expect(written).toEqual([]);
  });
});
