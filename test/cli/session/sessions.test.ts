import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import { formatSession, formatSessionList } from '../../../src/cli/session/format-sessions.ts';
import { inheritedMessages, listSessions, showSession } from '../../../src/cli/session/read-sessions.ts';
import { exportSession } from '../../../src/cli/session/export/export-session.ts';
import { sessionEntries } from '../../../src/cli/session/session-entries.ts';
import type { SessionSummary } from '../../../src/cli/session/read-sessions.ts';
import { progressOf } from '../../../src/kernel/session/snapshot.ts';
import type { SessionStatus } from '../../../src/contracts/session/session-status.ts';
import { sessionTree } from '../../../src/cli/session/session-tree.ts';
import { wholeSessionId } from '../../../src/cli/session/whole-session-id.ts';
import { FINISHED, stream } from '../../tui/event-stream.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from '../../platform/sqlite/database-fixture.ts';

const EVIL = 'Fix \x1b]0;owned\x07 parser\u202e\nDone.';
const START = 1_760_000_000_000;

const bodies: readonly EventBody[] = [
  { type: 'message.user', text: 'Add \x1b[2Jerror handling' },
  { type: 'text.delta', text: 'Hel' },
  { type: 'text.done', text: 'Hello' },
  { type: 'state.changed', from: 'idle', to: 'planning', trigger: 'message' },
  { type: 'tool.started', call_id: 'c1', tool: 'fs.write', input: {} },
  {
    type: 'tool.finished',
    call_id: 'c1',
    tool: 'fs.write',
    ok: false,
    summary: 'no',
    duration_ms: 3,
    error: { code: 'tool_unavailable', message: 'm', retryable: false },
  },
];
const events: readonly FluffyEvent[] = bodies.map((body, index) => ({
  ...body,
  session_id: 's_aaaaaaaa',
  seq: index + 1,
  ts: START + index * 1_000,
}));

function filled(archivedAs: SessionStatus | null = null): string {
  const fixture = databaseFixture();
  const { database } = fixture.open();
  const store = new SqliteSessionStore(database, fixture.clock);
  store.insert(sessionRow({ id: 's_aaaaaaaa', title: EVIL }), sessionSnapshot({ task: 'secret' }));
  store.save(
    sessionRow({ id: 's_aaaaaaaa', title: EVIL, state: 'planning', commits: ['c'.repeat(40)], updated_ms: START + 10 }),
    { messages: [{ role: 'user', text: 'hi' }], events },
  );
  if (archivedAs !== null)
    store.save(sessionRow({ id: 's_aaaaaaaa', status: 'archived', updated_ms: START + 10 }), {
      progress: progressOf(sessionSnapshot({ archived_as: archivedAs })),
    });
  store.insert(
    sessionRow({ id: 's_bbbbbbbb', title: '日本語のタイトル', updated_ms: START + 5, status: 'done' }),
    sessionSnapshot(),
  );
  return fixture.path;
}

const AUDIT = { intact: true, head: 'ab', words: 'Audit log intact: 12 records, head ab' };

describe('listSessions', () => {
  it('gives each session as the contract has it, the last used first', () => {
    expect(listSessions(filled())).toEqual([
      {
        id: 's_aaaaaaaa',
        title: EVIL,
        created: START,
        updated: START + 10,
        state: 'planning',
        mode: 'strict',
        status: 'active',
        commits: ['c'.repeat(40)],
        archived: false,
        forked_from: null,
      },
      {
        id: 's_bbbbbbbb',
        title: '日本語のタイトル',
        created: START,
        updated: START + 5,
        state: 'idle',
        mode: 'strict',
        status: 'done',
        commits: [],
        archived: false,
        forked_from: null,
      },
    ]);
  });

  it('gives an archived session the status that it had, if it is known', () => {
    const [archived] = listSessions(filled('committed'));
    expect(archived).toMatchObject({ id: 's_aaaaaaaa', status: 'committed', archived: true });
    expect(formatSessionList([archived as SessionSummary])).toContain('committed, archived');
    const [unknown] = listSessions(filled('archived'));
    expect(unknown).toMatchObject({ status: 'archived', archived: true });
    expect(formatSessionList([unknown as SessionSummary])).not.toContain('archived, archived');
  });

  it('gives none where there is no database', () => {
    expect(listSessions(databaseFixture().path)).toEqual([]);
  });

  it('says what is wrong with a file that is no database', () => {
    const { path } = databaseFixture();
    writeFileSync(path, 'x'.repeat(4096));
    expect(() => listSessions(path)).toThrow(expect.objectContaining({ code: 'database_unusable', exitCode: 1 }));
  });

  it.each([
    ['a state that is none', "UPDATE sessions SET state = 'root'"],
    ['commits that are no list', "UPDATE sessions SET commits = '{}'"],
    ['commits that are no JSON', "UPDATE sessions SET commits = '['"],
  ])('refuses a row with %s', (_name, sql) => {
    const fixture = databaseFixture();
    fixture.fill(1);
    fixture.edit(sql);
    expect(() => listSessions(fixture.path)).toThrow(expect.objectContaining({ code: 'database_row_invalid' }));
  });
});

describe('showSession', () => {
  it('adds the events, and nothing of the snapshot or the conversation', () => {
    const details = showSession(filled(), 's_aaaaaaaa');
    expect(details).toMatchObject({ id: 's_aaaaaaaa', state: 'planning' });
    expect(details.events).toEqual(events);
    expect(JSON.stringify(details)).not.toContain('staged');
  });

  it('knows the last used one as latest, before one that is archived', () => {
    const fixture = filled();
    expect(showSession(fixture, 'latest').id).toBe('s_aaaaaaaa');
    expect(showSession(filled('committed'), 'latest').id).toBe('s_bbbbbbbb');
  });

  it.each(['s_nobody00', 'latest'])('says that there is no %s', (id) => {
    const { path } = databaseFixture();
    expect(() => showSession(path, id)).toThrow(expect.objectContaining({ code: 'session_not_found', exitCode: 2 }));
  });

  it('takes no id for SQL', () => {
    expect(() => showSession(filled(), "' OR 1=1 --")).toThrow(expect.objectContaining({ code: 'session_not_found' }));
  });
});

describe('the text for people', () => {
  it('is a table in which every title stays on its line and in letters', () => {
    expect(formatSessionList(listSessions(filled()))).toBe(
      [
        'SESSION     UPDATED               MODE    STATE     STATUS  COMMITS  TITLE',
        's_aaaaaaaa  2025-10-09T08:53:20Z  strict  planning  active  1        Fix \\x1b]0;owned\\x07 parser\\u{202e}\\nDone.',
        's_bbbbbbbb  2025-10-09T08:53:20Z  strict  idle      done    0        日本語のタイトル',
      ].join('\n'),
    );
    expect(formatSessionList([])).toBe('No sessions yet.');
    expect(formatSessionList([], 80, 2)).toBe(
      'No session except 2 archived ones: fluffy session list --all shows them.',
    );
  });

  it('has the titles in rows of their own where a terminal is narrow', () => {
    expect(formatSessionList(listSessions(filled()), 80)).toBe(
      [
        'SESSION     UPDATED               MODE    STATE     STATUS',
        's_aaaaaaaa  2025-10-09T08:53:20Z  strict  planning  active',
        '  Fix \\x1b]0;owned\\x07 parser\\u{202e}\\nDone. · commits: 1',
        's_bbbbbbbb  2025-10-09T08:53:20Z  strict  idle      done',
        '  日本語のタイトル',
      ].join('\n'),
    );
  });

  it('tells one session as it went', () => {
    const text = formatSession(showSession(filled(), 's_aaaaaaaa'));
    expect(text).toContain('title    Fix \\x1b]0;owned');
    expect(text).toContain(`commits  ${'c'.repeat(40)}`);
    expect(text).toContain('2025-10-09T08:53:20Z  > Add \\x1b[2Jerror handling');
    expect(text).toContain('2025-10-09T08:53:22Z  Hello');
    expect(text).toContain('idle -> planning (message)');
    expect(text).toContain('fs.write failed: tool_unavailable: m');
    expect(text).not.toContain('Hel\n');
    expect(text).toMatch(/^[^\p{Cf}\x1b]*$/u);
  });
});

it('a session shows texts of several lines line by line, and last words once', () => {
  const events = stream([
    { type: 'text.done', text: 'One.\n\n- two\x1b[2J\n' },
    { ...FINISHED, status: 'done', summary: 'One.\n\n- two\x1b[2J' },
    { ...FINISHED, status: 'failed', summary: 'The model stopped.' },
  ]);
  const rows = formatSession({ ...showSession(filled(), 's_aaaaaaaa'), events }).split('\n');
  expect(rows.slice(-5).map((row) => row.replace(/^\S+Z/, 'at'))).toEqual([
    'at  One.',
    '',
    `${' '.repeat(22)}- two\\x1b[2J`,
    'at  finished: done, exit 0',
    expect.stringMatching(/^at {2}finished: failed, exit \d+: The model stopped\.$/) as unknown,
  ]);
});

it('a session has no row for how far tests and proof were', () => {
  const events = stream([
    { type: 'test.progress', call_id: 'c1', elapsed_ms: 30_000, timeout_ms: 60_000 },
    { type: 'test.counts', call_id: 'c1', done: 3, failed: 0 },
    { type: 'proof.started', observation: 'removal' },
    { type: 'proof.progress', done: 1, total: 2 },
    { type: 'text.done', text: 'Done.' },
  ]);
  const text = formatSession({ ...showSession(filled(), 's_aaaaaaaa'), events });
  expect(text.split('\n').filter((row) => /^\d{4}-\S+Z/.test(row))).toEqual([expect.stringMatching(/ {2}Done\.$/)]);
});

describe('a session to choose', () => {
  it('has its age, its id, and what was said last', () => {
    const {
      entries: [first, second],
    } = sessionEntries(filled(), START + 3_600_000 * 3);
    expect(first).toMatchObject({ id: 's_aaaaaaaa', aside: 'active · 2 h ago' });
    expect(first?.preview).toEqual(['s_aaaaaaaa · strict · commits: 1', '> Add \\x1b[2Jerror handling', 'Hello']);
    expect(second?.preview).toEqual(['s_bbbbbbbb · strict · no commit']);
  });
});

describe('a fork', () => {
  const forked = (session: string, after: number, text: string) =>
    sessionSnapshot({ forked_from: { session, after, text } });

  function withForks(): string {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const store = new SqliteSessionStore(database, fixture.clock);
    store.insert(sessionRow({ id: 's_root', title: 'Parse', updated_ms: START }), sessionSnapshot());
    store.insert(sessionRow({ id: 's_other', title: 'Other', updated_ms: START + 5 }), sessionSnapshot());
    store.insert(sessionRow({ id: 's_fork', title: 'Parse', updated_ms: START + 3 }), forked('s_root', 2, EVIL));
    store.insert(sessionRow({ id: 's_deep', title: 'Parse', updated_ms: START + 9 }), forked('s_fork', 0, ''));
    store.insert(sessionRow({ id: 's_lost', title: 'Lost', updated_ms: START + 1 }), forked('s_gone', 1, 'Begin'));
    return fixture.path;
  }

  it('is below its session in the list, and says at which message', () => {
    const [heading = '', ...rows] = formatSessionList(listSessions(withForks())).split('\n');
    const titles = rows.map((row) => row.slice(heading.indexOf('TITLE')));
    expect(titles).toEqual([
      'Parse',
      '└ Parse · fork after message 2: Fix \\x1b]0;owned\\x07 parser\\u{202e}\\nDone.',
      '  └ Parse · fork from the beginning',
      'Other',
      'Lost · fork after message 1: Begin',
    ]);
  });

  it('is below it where one is chosen, and the last used one is marked first', () => {
    const { entries, first } = sessionEntries(withForks(), START);
    expect(entries.map(({ id, depth }) => [id, depth])).toEqual([
      ['s_root', 0],
      ['s_fork', 1],
      ['s_deep', 2],
      ['s_other', 0],
      ['s_lost', 0],
    ]);
    expect(first).toBe('s_deep');
    expect(entries[2]?.label).toBe('Parse · fork from the beginning');
  });

  it('begins a tree where its session is the one that is left out', () => {
    const { entries } = sessionEntries(withForks(), START, 's_fork');
    expect(entries.map(({ id, depth }) => [id, depth])).toEqual([
      ['s_deep', 0],
      ['s_other', 0],
      ['s_lost', 0],
      ['s_root', 0],
    ]);
  });

  it('names it in what is shown of one session', () => {
    const text = formatSession(showSession(withForks(), 's_deep'));
    expect(text).toContain('forked from  s_fork, fork from the beginning');
  });

  it.each([
    ['is no JSON', `'{'`],
    ['has another form', `'{"forked_from":{"session":1}}'`],
  ])('is an ordinary session where its snapshot %s', (_, snapshot) => {
    const fixture = databaseFixture();
    fixture.fill(1);
    fixture.edit(`UPDATE sessions SET snapshot = ${snapshot}`);
    expect(listSessions(fixture.path).map(({ forked_from }) => forked_from)).toEqual([null]);
  });

  const of = (id: string, session: string) => ({ id, forked_from: { session, after: 1, text: '' } });
  it.each([
    ['itself', [of('a', 'a')], ['a']],
    ['each other', [of('a', 'b'), of('b', 'a'), of('c', 'a')], ['a', 'b', 'c']],
  ])('of %s is there once', (_, sessions, ids) => {
    expect(sessionTree(sessions).map(({ session }) => session.id)).toEqual(ids);
  });

  it('of a fork of a fork, a hundred thousand deep, is placed without recursion', () => {
    const chain = Array.from({ length: 100_000 }, (_, index) => of(String(index), String(index - 1))).toReversed();
    expect(sessionTree(chain).at(-1)).toMatchObject({ session: { id: '99999' }, depth: 99_999 });
  });
});

describe('the beginning of an id', () => {
  const sessions = ['s_old', 's_abc', 's_abd', 's_x', 's_xy'].map((id) => ({ id, archived: id === 's_old' }));
  it.each([
    [undefined, 's_abc'],
    ['s_o', 's_old'],
    ['s_abd', 's_abd'],
    ['s_xy', 's_xy'],
    ['s_x', 's_x'],
    ['s_q', 's_q'],
  ])('%j is %j', (given, id) => {
    expect(wholeSessionId(sessions, given)).toBe(id);
  });

  it('that several have is refused', () => {
    expect(() => wholeSessionId(sessions, 's_ab')).toThrow('2 sessions begin with s_ab');
    expect(() => wholeSessionId([], undefined)).toThrow('no session');
  });
});

describe('a session as a document', () => {
  const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
  const told: readonly EventBody[] = [
    { type: 'message.user', text: `Use ${TOKEN}\n# no heading` },
    {
      type: 'text.done',
      text: 'I **will**.\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](https://example.org/p.png)',
    },
    { type: 'tool.started', call_id: 'c', tool: 'fs.write', input: { path: 'a`b.js' } },
    {
      type: 'tool.finished',
      call_id: 'c',
      tool: 'fs.write',
      ok: true,
      summary: 'written',
      duration_ms: 1,
      diff: '+```\n+</span><script>',
    },
  ];
  const session = () => ({
    ...showSession(filled(), 's_aaaaaaaa'),
    inherited: [],
    events: told.map((body, index) => ({ ...body, session_id: 's_aaaaaaaa', seq: index + 1, ts: START })),
  });

  it.each(['md', 'html', 'json'] as const)('in %s has no secret in it, and the state of the audit log', (format) => {
    const text = exportSession(session(), AUDIT, format);
    expect(text).not.toContain(TOKEN);
    expect(text).toContain('[redacted');
    expect(text).toContain('Audit log intact: 12 records');
  });

  it('in Markdown keeps texts within their parts', () => {
    const text = exportSession(session(), AUDIT, 'md');
    expect(text).toContain('\n> # no heading\n');
    expect(text).toContain('- ✓ fs.write a\\`b.js: written\n\n````diff\n+```\n');
  });

  it('in HTML has no element, no address and no picture of others', () => {
    const text = exportSession(session(), AUDIT, 'html');
    expect(text).toContain('<strong>will</strong>');
    expect(text).not.toMatch(/<script|javascript:|<img|example\.org/);
  });

  it('to be replayed has what the model said and called, a turn for each request', () => {
    const request = { type: 'usage', input_tokens: 1, output_tokens: 1 } as unknown as EventBody;
    const call = (path: string, by?: 'user'): EventBody => ({
      type: 'tool.started',
      call_id: 'c',
      tool: 'fs.read',
      input: { path },
      ...(by === undefined ? {} : { by }),
    });
    const bodies = [
      request,
      { type: 'text.done', text: 'I look.' } as const,
      call('a'),
      call('b'),
      request,
      call('c'),
      call('d', 'user'),
      request,
    ];
    const events = bodies.map((body, index) => ({ ...body, session_id: 's_aaaaaaaa', seq: index + 1, ts: START }));
    expect(
      exportSession({ ...session(), events }, AUDIT, 'replay')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        text: 'I look.',
        calls: [
          { tool: 'fs.read', input: { path: 'a' } },
          { tool: 'fs.read', input: { path: 'b' } },
        ],
      },
      { calls: [{ tool: 'fs.read', input: { path: 'c' } }] },
    ]);
  });

  it.each(['md', 'html', 'json'] as const)('in %s has the conversation that a fork began with', (format) => {
    const fixture = databaseFixture();
    const store = new SqliteSessionStore(fixture.open().database, fixture.clock);
    const row = sessionRow({ id: 's_cccccccc' });
    store.insert(row, sessionSnapshot({ inherited_messages: 4 }));
    const call = { call_id: 'c1', tool: 'fs.read', arguments: '{"path":"src/old.js"}' };
    store.save(row, {
      messages: [
        { role: 'user', text: `First task with ${TOKEN}` },
        { role: 'user', text: 'a note for the model', author: 'kernel' },
        { role: 'assistant', text: 'I look.', calls: [call] },
        { role: 'tool', results: [{ call_id: 'c1', ok: true, content: 'one line\nanother' }] },
        { role: 'user', text: 'This session is a fork', author: 'kernel' },
        { role: 'user', text: 'behind the fork' },
      ],
    });
    const details = { ...showSession(fixture.path, row.id), inherited: inheritedMessages(fixture.path, row.id) };
    const text = exportSession(details, AUDIT, format);
    for (const part of ['First task', 'I look.', 'src/old.js', 'one line']) expect(text).toContain(part);
    expect(text).not.toMatch(/a note for the model|behind the fork|This session is a fork/);
    expect(text).not.toContain(TOKEN);
  });

  it('in JSON is what session show has', () => {
    expect(JSON.parse(exportSession(session(), AUDIT, 'json'))).toMatchObject({
      id: 's_aaaaaaaa',
      events: [{ seq: 1 }, {}, {}, {}],
    });
  });
});
