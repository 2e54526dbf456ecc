import { describe, expect, it } from 'vitest';
import { FileCompletion } from '../../../../src/cli/interactive/prompt/file-completion.ts';
import { PromptMenu } from '../../../../src/cli/interactive/prompt/prompt-menu.ts';
import { openMenu } from '../../../../src/tui/menu/open-menu.ts';
import { liveFrame } from '../../../../src/tui/live/live-frame.ts';
import { createPainter } from '../../../../src/tui/text/paint.ts';
import { ViewStore } from '../../../../src/tui/store/view-store.ts';
import { freshView } from '../../../tui/event-stream.ts';

async function menuBehind(text: string) {
  const store = new ViewStore(freshView(), { nowMs: () => 1, after: (_, callback) => callback() });
  const files = new FileCompletion({
    store,
    nowMs: () => 1,
    list: () => Promise.resolve(['README.md', 'src/parse-config.js', 'test/parse-config.test.js']),
  });
  store.dispatch({ kind: 'edit', edit: { kind: 'insert', text }, atMs: 1 });
  files.update();
  await Promise.resolve();
  return { store, menu: new PromptMenu({ store, nowMs: () => 2, files }), typed: () => store.current.composer.text };
}

it('fills a file in when the files are listed, if Tab came before them', async () => {
  const store = new ViewStore(freshView(), { nowMs: () => 1, after: (_, callback) => callback() });
  const listed = Promise.withResolvers<readonly string[]>();
  const files = new FileCompletion({ store, nowMs: () => 1, list: () => listed.promise });
  const menu = new PromptMenu({ store, nowMs: () => 2, files });
  store.dispatch({ kind: 'edit', edit: { kind: 'insert', text: 'Read @pars' }, atMs: 1 });
  files.update();
  menu.fillIn();
  expect(store.current.composer.text).toBe('Read @pars');
  listed.resolve(['README.md', 'src/parse-config.js']);
  await listed.promise;
  await Promise.resolve();
  expect(store.current.composer.text).toBe('Read @src/parse-config.js ');
});

const selected = ({ current }: ViewStore) => {
  const menu = openMenu(current);
  return menu === null || menu.selected === null ? null : menu.entries[menu.selected]?.name;
};

describe('the menu at the prompt', () => {
  it.each([
    ['/', null],
    ['/st', '/strict '.trim()],
    ['/sta', '/status'],
    ['/discard', '/reset'],
    ['/x', null],
    ['st', null],
    ['@conf', 'src/parse-config.js'],
  ])('behind %j has %j selected', async (text, name) => {
    const { store } = await menuBehind(text);
    expect(selected(store)).toBe(name);
  });

  it('goes round by Up and Down', async () => {
    const { store, menu } = await menuBehind('/st');
    expect([menu.move(1), selected(store)]).toEqual([true, '/status']);
    menu.move(-1);
    menu.move(-1);
    expect(selected(store)).not.toBe('/strict');
  });

  it('leaves Up and Down to the prompt where there is nothing to choose', async () => {
    const { menu } = await menuBehind('/status');
    expect(menu.move(1)).toBe(false);
    expect((await menuBehind('text')).menu.move(1)).toBe(false);
  });

  it.each([
    ['/sta', false, '/status'],
    ['/rej', true, '/reject '],
    ['/ap', true, '/approve '],
    ['/qui', true, '/quit'],
    ['/approve', false, '/approve'],
    ['/', false, '/'],
    ['@conf', true, '@src/parse-config.js '],
    ['text', false, 'text'],
  ])('%j and Enter is done: %j, with %j at the prompt', async (text, done, typed) => {
    const started = await menuBehind(text);
    expect([started.menu.enter(), started.typed()]).toEqual([done, typed]);
  });

  it('fills the chosen file in', async () => {
    const { menu, typed } = await menuBehind('see @conf');
    menu.move(1);
    expect([menu.fillIn(), typed()]).toEqual([true, 'see @test/parse-config.test.js ']);
  });

  it('is closed by Esc until the next letter', async () => {
    const { store, menu } = await menuBehind('/st');
    expect([menu.close(), menu.close(), menu.enter()]).toEqual([true, false, false]);
    store.dispatch({ kind: 'edit', edit: { kind: 'insert', text: 'a' }, atMs: 3 });
    expect(selected(store)).toBe('/status');
  });

  it('is drawn with the selected entry marked, and scrolls', async () => {
    const { store, menu } = await menuBehind('/');
    const painter = createPainter('none', 0);
    const drawn = () =>
      liveFrame(store.current, { columns: 80, rows: 24 }, { tick: 0, nowMs: 1 }).rows.map((row) => painter.row(row));
    expect(drawn().filter((row) => row.startsWith('  /'))).toHaveLength(8);
    menu.move(-1);
    expect(drawn().find((row) => row.startsWith('› '))).toContain('/quit');
  });
});
