import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anchorRecordsSchema, anchorRequestSchema } from '../../../src/contracts/sandbox/guard-api.ts';
import { createGuardServer } from '../../../src/host/runtime-guard/guard-server.ts';
import { AnchorClient, LogNotFollowed } from '../../../src/platform/docker/anchor-client.ts';

const RECORDS = 1_700;
const head = { entries: RECORDS, head: 'a'.repeat(64) as never };

/** A host that follows everything that comes in order. */
async function host(options: { followed?: number; refuse?: boolean } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'fluffy-anchor-client-'));
  const socket = join(directory, 'guard.sock');
  const state = { entries: options.followed ?? 0, signed: [] as number[], pages: [] as number[] };
  const json = (body: unknown) => ({ kind: 'json' as const, status: 200, body });
  const server = createGuardServer(
    async ({ call }, body) => {
      await Promise.resolve();
      if (call.kind === 'anchor-position') return json({ entries: state.entries, head: null });
      if (call.kind === 'anchor') {
        state.signed.push(anchorRequestSchema.parse(body).entries);
        return json({ kind: 'anchored' });
      }
      const { after, records } = anchorRecordsSchema.parse(body);
      if (options.refuse === true || after !== state.entries)
        return json({ kind: 'refused', reason: `after ${after}` });
      state.entries += records.length;
      state.pages.push(records.length);
      return json({ kind: 'followed', entries: state.entries });
    },
    { write: () => undefined, flush: () => Promise.resolve() },
  );
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const read = (from: number, limit: number) =>
    Array.from({ length: Math.min(limit, RECORDS - from + 1) }, (_, index) => ({ body: `{"id":${from + index}}` }));
  return { client: new AnchorClient(socket, read), state };
}

it('shows every record that the host does not know, page by page, before it has a head signed', async () => {
  const { client, state } = await host({ followed: 100 });
  await client.anchor(head);
  expect(state).toEqual({ entries: RECORDS, pages: [500, 500, 500, 100], signed: [RECORDS] });
  await client.anchor(head);
  expect(state.pages).toHaveLength(4);
});

it('shows records once where several are to be signed at the same time', async () => {
  const { client, state } = await host();
  await Promise.all([client.anchor({ ...head, entries: 10 }), client.show(20), client.anchor(head)]);
  expect(state).toMatchObject({ entries: RECORDS, signed: [10, RECORDS] });
});

it.each([
  ['knows more records than there are', { followed: RECORDS + 1 }],
  ['does not follow', { refuse: true }],
])('a host that %s signs nothing, and that is told from a host without an answer', async (_what, options) => {
  const { client, state } = await host(options);
  await expect(client.anchor(head)).rejects.toBeInstanceOf(LogNotFollowed);
  expect(state.signed).toEqual([]);
  const nobody = new AnchorClient('/nowhere/guard.sock', () => []);
  await expect(nobody.anchor(head)).rejects.not.toBeInstanceOf(LogNotFollowed);
});
