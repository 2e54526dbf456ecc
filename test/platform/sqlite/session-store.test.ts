import { describe, expect, it } from 'vitest';
import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { chainFault } from './chain-fault.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from './database-fixture.ts';

const message = (text: string): ModelMessage => ({ role: 'user', text });
const event = (seq: number, body: EventBody = { type: 'text.done', text: `event ${seq}` }): FluffyEvent => ({
  ...body,
  session_id: 's_abcdefgh',
  seq,
  ts: 1_760_000_000_000 + seq,
});

function openStore() {
  const fixture = databaseFixture();
  const { database } = fixture.open();
  const store = new SqliteSessionStore(database, fixture.clock);
  const reopen = (): SqliteSessionStore => {
    database.close();
    return new SqliteSessionStore(fixture.open().database, fixture.clock);
  };
  const transitions = () =>
    database.connection
      .prepare<[], string>('SELECT body FROM transitions ORDER BY id')
      .pluck()
      .all()
      .map((body) => JSON.parse(body) as { session_id: string; state: string; mode: string; status: string });
  return { fixture, store, reopen, transitions };
}

describe('a session', () => {
  it('comes back as it was saved, messages and events included', () => {
    const { store, reopen } = openStore();
    store.insert(sessionRow(), sessionSnapshot({ task: 'first' }));
    const saved = sessionRow({
      title: 'Löse das 😀',
      updated_ms: 1_760_000_000_500,
      state: 'reviewing',
      mode: 'explore',
      status: 'waiting',
      commits: ['a'.repeat(40), 'b'.repeat(40)],
    });
    store.save(saved, { messages: [message('one')], events: [event(1), event(2)] });
    store.save(saved, { messages: [message('two'), message('three')], events: [event(3)] });
    const again = reopen();
    expect(again.get(saved.id)).toEqual(saved);
    expect(again.snapshot(saved.id)).toEqual(sessionSnapshot({ task: 'first' }));
    expect(again.messages(saved.id)).toEqual([message('one'), message('two'), message('three')]);
    expect(again.events(saved.id, 0)).toEqual([event(1), event(2), event(3)]);
    expect(again.events(saved.id, 2)).toEqual([event(3)]);
    expect(again.lastSeq(saved.id)).toBe(3);
  });

  it('is unknown until it is inserted', () => {
    const { store } = openStore();
    expect(store.get('s_nobody00')).toBeNull();
    expect(store.newest()).toBeNull();
    expect(store.list()).toEqual([]);
    expect(store.lastSeq('s_nobody00')).toBe(0);
    expect(() => store.save(sessionRow(), {})).toThrow(expect.objectContaining({ code: 'session_write_failed' }));
  });

  it('is the newest when it was used last', () => {
    const { store } = openStore();
    const ids = ['s_aaaaaaaa', 's_bbbbbbbb', 's_cccccccc'];
    ids.forEach((id, index) => store.insert(sessionRow({ id, updated_ms: [5, 9, 5][index] ?? 0 }), sessionSnapshot()));
    expect(store.newest()?.id).toBe('s_bbbbbbbb');
    store.save(sessionRow({ id: 's_bbbbbbbb', updated_ms: 9, status: 'archived' }), {});
    expect(store.newest()?.id).toBe('s_cccccccc');
    expect(store.list().map(({ id }) => id)).toEqual(['s_bbbbbbbb', 's_cccccccc', 's_aaaaaaaa']);
  });

  it('has its messages from any position on, and each by itself', () => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    store.save(sessionRow(), { messages: [message('1'), message('2'), message('3')] });
    expect(store.messages('s_abcdefgh', 2)).toEqual([message('3')]);
    expect(store.message('s_abcdefgh', 1)).toEqual(message('2'));
    expect(store.message('s_abcdefgh', 3)).toBeNull();
  });

  it.each([
    ['NEEDLE', [2, 0]],
    ['100%', [1]],
    ['a_b', [1]],
    ['axb', []],
    ['say "hi"\n', [2]],
    ['\\d+', [3]],
    ['elsewhere', []],
  ])('finds %j in its own messages, the newest first', (text, positions) => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    store.insert(sessionRow({ id: 's_other000' }), sessionSnapshot());
    const texts = ['a needle', '100% of a_b', 'say "hi"\nNeedle', String.raw`a \d+ b`];
    store.save(sessionRow(), { messages: texts.map(message) });
    store.save(sessionRow({ id: 's_other000' }), { messages: [message('elsewhere')] });
    expect([...store.searchMessages('s_abcdefgh', text)].map(({ position }) => position)).toEqual(positions);
  });

  it('finds text within the arguments of a call, and goes on over many messages', () => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    const calls = (text: string) => [{ call_id: 'c', tool: 'fs.write', arguments: JSON.stringify({ content: text }) }];
    const said = { role: 'assistant', text: '', calls: calls('say "hi"\n') } as const;
    store.save(sessionRow(), { messages: Array.from({ length: 120 }, () => ({ ...said, calls: [...said.calls] })) });
    const found = [...store.searchMessages('s_abcdefgh', 'say "hi"\n')].map(({ position }) => position);
    expect(found).toEqual(Array.from({ length: 120 }, (_, index) => 119 - index));
  });

  it('keeps the outputs of another', () => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    store.insert(sessionRow({ id: 's_other000' }), sessionSnapshot());
    store.save(sessionRow(), { outputs: [{ reference: 'o_1', text: 'kept' }] });
    store.copyOutputs('s_abcdefgh', 's_other000');
    store.remove('s_abcdefgh');
    expect(store.output('s_other000', 'o_1')).toBe('kept');
  });

  it('takes its outputs along when it is removed', () => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    store.save(sessionRow(), { outputs: [{ reference: 'o_1', text: 'kept' }] });
    store.remove('s_abcdefgh');
    expect(store.output('s_abcdefgh', 'o_1')).toBeNull();
  });

  it('keeps outputs by reference, the newest 32 MiB of them', () => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    const large = 'x'.repeat(11 * 1024 * 1024);
    for (const reference of ['o_1', 'o_2', 'o_3']) store.save(sessionRow(), { outputs: [{ reference, text: large }] });
    expect(store.output('s_abcdefgh', 'o_1')).toBeNull();
    expect(store.output('s_abcdefgh', 'o_3')).toBe(large);
    expect(store.output('s_other000', 'o_3')).toBeNull();
  });

  it.each([
    ['a gap', [event(1), event(3)]],
    ['one twice', [event(1), event(1)]],
    ['a late start', [event(2)]],
  ])('takes no events with %s, and nothing else of that save', (_name, events) => {
    const { store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    const saving = () => store.save(sessionRow({ title: 'changed' }), { messages: [message('lost')], events });
    expect(saving).toThrow(expect.objectContaining({ code: 'session_write_failed' }));
    expect(store.get('s_abcdefgh')?.title).toBe('Add error handling');
    expect(store.messages('s_abcdefgh')).toEqual([]);
    expect(store.events('s_abcdefgh', 0)).toEqual([]);
  });
});

describe('the chain of states', () => {
  it('has a record for each change of state, mode or status, and for nothing else', () => {
    const { fixture, store, transitions } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    store.save(sessionRow({ title: 'only a title' }), { messages: [message('x')], events: [event(1)] });
    store.save(sessionRow({ state: 'planning' }), {});
    store.save(sessionRow({ state: 'planning', mode: 'debug' }), {});
    store.save(sessionRow({ state: 'planning', mode: 'debug', status: 'cancelled' }), {});
    store.insert(sessionRow({ id: 's_other000' }), sessionSnapshot());
    expect(transitions().map(({ session_id, state, mode, status }) => [session_id, state, mode, status])).toEqual([
      ['s_abcdefgh', 'idle', 'strict', 'active'],
      ['s_abcdefgh', 'planning', 'strict', 'active'],
      ['s_abcdefgh', 'planning', 'debug', 'active'],
      ['s_abcdefgh', 'planning', 'debug', 'cancelled'],
      ['s_other000', 'idle', 'strict', 'active'],
    ]);
    expect(chainFault(fixture.path, 'transitions')).toBeNull();
  });

  it('shows a state that was edited', () => {
    const { fixture, store } = openStore();
    store.insert(sessionRow(), sessionSnapshot());
    store.save(sessionRow({ state: 'planning' }), {});
    fixture.edit("UPDATE transitions SET body = replace(body, 'planning', 'idle') WHERE id = 2");
    expect(chainFault(fixture.path, 'transitions')).toMatchObject({ id: 2 });
  });
});

it('a row that somebody made unreadable is an error that says so', () => {
  const { store } = openStore();
  store.insert(sessionRow(), sessionSnapshot());
  store.insert(sessionRow({ id: 's_bad00000', state: 'dreaming' as 'idle' }), sessionSnapshot());
  expect(() => store.get('s_bad00000')).toThrow(expect.objectContaining({ code: 'database_row_invalid' }));
  expect(store.get('s_abcdefgh')?.id).toBe('s_abcdefgh');
});
