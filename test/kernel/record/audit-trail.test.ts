import { expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/events.ts';
import type { SessionStore } from '../../../src/contracts/ports/session-store.ts';
import { TOOLS } from '../../../src/contracts/tools.ts';
import { tellOfCall } from '../../../src/kernel/record/audit-trail.ts';
import { Session } from '../../../src/kernel/session/session.ts';

/** A session whose store keeps the events of each write. */
function session() {
  const written: FluffyEvent[][] = [];
  const shown: FluffyEvent[] = [];
  const made = new Session({
    row: { id: 's_session001' },
    snapshot: {},
    messages: [],
    lastSeq: 0,
    store: { save: (_row, { events }) => void written.push([...(events ?? [])]) } as Pick<SessionStore, 'save'>,
    clock: { nowMs: () => 0 },
  } as unknown as ConstructorParameters<typeof Session>[0]);
  made.subscribe((event) => shown.push(event));
  return { made, written, shown };
}

const started = (tool: string) => ({ type: 'tool.started', call_id: 'c1', tool, input: {} }) as const;

it.each(TOOLS.map(({ name, effect }) => [name, effect] as const))(
  'a call of %s, whose effect is to %s, is on disk before it is shown unless it only reads',
  (tool, effect) => {
    const { made, written, shown } = session();
    made.subscribe(() => expect(written.length).toBe(effect === 'read' ? 0 : 1));
    tellOfCall(made, tool, started(tool));
    expect(shown).toMatchObject([{ seq: 1, tool }]);
  },
);

it('a call of a tool that does not exist is on disk before it is shown', () => {
  const { made, written } = session();
  tellOfCall(made, 'fs.format', started('fs.format'));
  expect(written).toMatchObject([[{ seq: 1 }]]);
});

it('what was told of reads is written with the next decision, in its order', () => {
  const { made, written } = session();
  tellOfCall(made, 'fs.read', started('fs.read'));
  tellOfCall(made, 'search.grep', started('search.grep'));
  tellOfCall(made, 'fs.write', started('fs.write'));
  expect(written).toMatchObject([
    [
      { seq: 1, tool: 'fs.read' },
      { seq: 2, tool: 'search.grep' },
      { seq: 3, tool: 'fs.write' },
    ],
  ]);
});
