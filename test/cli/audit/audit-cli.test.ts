import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditEntrySchema } from '../../../src/contracts/audit-entry.ts';
import { auditLog } from '../../../src/cli/audit/audit-log.ts';
import { formatVerdict } from '../../../src/cli/audit/format-verdict.ts';
import { auditExitCode, verifyAudit } from '../../../src/cli/audit/verify-audit.ts';
import type { AuditVerdict } from '../../../src/cli/audit/verify-audit.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import { linkHash } from '../../../src/lib/hash-chain.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { oneEpoch } from '../../support/one-epoch.ts';
import { databaseFixture } from '../../platform/sqlite/database-fixture.ts';

const noAnchors = () => oneEpoch([]);

async function linesOf(databasePath: string, json: boolean, sessionId?: string): Promise<string[]> {
  const lines: string[] = [];
  await auditLog({
    databasePath,
    json,
    write: (line) => void lines.push(line),
    ...(sessionId === undefined ? {} : { sessionId }),
  });
  return lines;
}

describe('verifyAudit', () => {
  it('finds a sound log intact while the kernel goes on writing, and after', async () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    log.append(auditInput());
    const anchor = { entries: 1, head: log.head().hash };
    const { hash } = log.append(auditInput());
    const expected: AuditVerdict = {
      epoch: 1,
      earlier: [],
      intact: true,
      entries: 2,
      head: hash,
      anchored_through: 1,
      first_bad: null,
      deleted: false,
      trustworthy_through: 2,
    };
    const readAnchors = () => Promise.resolve(oneEpoch([anchor]));
    expect(await verifyAudit({ databasePath: fixture.path, readAnchors })).toEqual(expected);
    database.close();
    expect(await verifyAudit({ databasePath: fixture.path, readAnchors })).toEqual(expected);
  });

  it('has nothing against a log that has yet to begin', async () => {
    const verdict = await verifyAudit({ databasePath: databaseFixture().path, readAnchors: noAnchors });
    expect(verdict).toMatchObject({ intact: true, entries: 0, head: null, trustworthy_through: 0 });
    expect(auditExitCode(verdict)).toBe(0);
  });

  it('says how far a damaged log can be trusted, with exit code 10', async () => {
    const fixture = databaseFixture();
    fixture.fill(20);
    fixture.edit("UPDATE audit SET body = replace(body, 'record 7', 'record X') WHERE id = 7");
    const verdict = await verifyAudit({ databasePath: fixture.path, readAnchors: noAnchors });
    expect(verdict).toMatchObject({ intact: false, entries: 6, trustworthy_through: 6, first_bad: { id: 7 } });
    expect(auditExitCode(verdict)).toBe(10);
  });

  it('calls no log intact that cannot be read, also if the host signed nothing', async () => {
    const { path } = databaseFixture();
    writeFileSync(path, 'no database'.repeat(1000));
    const verdict = await verifyAudit({ databasePath: path, readAnchors: noAnchors });
    expect(verdict).toMatchObject({ intact: false, entries: 0, trustworthy_through: 0, first_bad: { id: 1 } });
    expect(verdict.first_bad?.reason).toMatch(/^unreadable: /);
  });

  it('calls no log intact whose anchors are in doubt, and trusts what the others cover', async () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    log.append(auditInput());
    const anchor = { entries: 1, head: log.head().hash };
    log.append(auditInput());
    database.close();
    const readAnchors = () => oneEpoch([anchor], 'anchors: x');
    const verdict = await verifyAudit({ databasePath: fixture.path, readAnchors });
    expect(verdict).toMatchObject({
      intact: false,
      trustworthy_through: 1,
      first_bad: { id: 2, reason: 'anchors: x' },
    });
    expect(auditExitCode(verdict)).toBe(10);
  });
});

describe('formatVerdict', () => {
  const sound: AuditVerdict = {
    epoch: 1,
    earlier: [],
    intact: true,
    entries: 12,
    head: 'abc',
    anchored_through: 12,
    first_bad: null,
    deleted: false,
    trustworthy_through: 12,
  };
  it.each<[string, AuditVerdict, string]>([
    ['all signed', sound, 'Audit log intact: 12 records, head abc\nAll of them are as the host signed them.'],
    [
      'partly signed',
      { ...sound, anchored_through: 9 },
      'Audit log intact: 12 records, head abc\nRecords up to 9 are as the host signed them.',
    ],
    [
      'unsigned',
      { ...sound, anchored_through: 0 },
      'Audit log intact: 12 records, head abc\nNone of them was signed by the host: a log rewritten as a whole would not show.',
    ],
    ['empty', { ...sound, entries: 0, head: null, anchored_through: 0 }, 'Audit log intact: it has no records yet.'],
    [
      'broken',
      {
        ...sound,
        intact: false,
        first_bad: { id: 8, reason: 'x\x1b[2J' },
        trustworthy_through: 7,
        anchored_through: 4,
      },
      'Audit log broken at record 8: x\\x1b[2J\nRecords up to 7 can be trusted, later ones cannot.\nRecords up to 4 are as the host signed them.',
    ],
    [
      'broken from the start',
      { ...sound, intact: false, first_bad: { id: 1, reason: 'x' }, trustworthy_through: 0, anchored_through: 0 },
      'Audit log broken at record 1: x\nNo record can be trusted.\nNone of them was signed by the host: a log rewritten as a whole would not show.',
    ],
  ])('%s', (_name, verdict, text) => {
    expect(formatVerdict(verdict)).toBe(text);
  });
});

describe('auditLog', () => {
  it.each([
    [2, [4, 5]],
    [9, [1, 2, 3, 4, 5]],
  ])('shows the newest %i records in their order', async (limit, ids) => {
    const records = databaseFixture();
    records.fill(5);
    const lines: string[] = [];
    await auditLog({ databasePath: records.path, json: true, limit, write: (line) => void lines.push(line) });
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(ids);
  });

  let fixture: ReturnType<typeof databaseFixture> | null = null;
  const evil = 'harmless\x1b]52;c;eA==\x07\n     2 2026 forged\u202e \u009b2J';

  function filled(): string {
    fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    log.append(auditInput({ input_summary: evil, policy_decision: 'denied', deny_reason: 'outside the project' }));
    log.append(auditInput({ session_id: 's_other000', caller: 'user' }));
    database.close();
    return fixture.path;
  }

  it('prints one JSON record a line, from which anybody can compute the hashes', async () => {
    const lines = await linesOf(filled(), true);
    const entries = lines.map((line) => auditEntrySchema.parse(JSON.parse(line)));
    expect(entries.map(({ id }) => id)).toEqual([1, 2]);
    expect(entries[0]?.input_summary).toBe(evil);
    for (const { hash, ...rest } of entries) expect(linkHash(rest.prev_hash, canonicalJson(rest))).toBe(hash);
  });

  it.each([true, false])('sends nothing to the terminal that it would act on (json: %s)', async (json) => {
    const lines = await linesOf(filled(), json);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
  });

  it('shows a record on one line for people', async () => {
    const [first] = await linesOf(filled(), false);
    expect(first).toContain('     1 2025-10-09T08:53:20.000Z tool_execute');
    expect(first).toContain('denied');
    expect(first).toContain('[strict/code_writing] fs-tool fs.write harmless\\x1b]52');
    expect(first).toContain('— outside the project');
  });

  it('can be narrowed to a session', async () => {
    const lines = await linesOf(filled(), true, 's_other000');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([2]);
  });

  it('prints nothing where there is no log', async () => {
    expect(await linesOf(databaseFixture().path, true)).toEqual([]);
  });

  it('waits for a slow reader', async () => {
    const path = filled();
    const order: string[] = [];
    await auditLog({
      databasePath: path,
      json: true,
      write: async () => {
        order.push('begin');
        await new Promise(setImmediate);
        order.push('end');
      },
    });
    expect(order).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('stops at what is no record, with exit code 10', async () => {
    const path = filled();
    fixture?.edit("UPDATE audit SET body = '{}' WHERE id = 2");
    await expect(linesOf(path, true)).rejects.toMatchObject({ code: 'audit_unreadable', exitCode: 10 });
  });

  it.each([
    ['a sound log: with the loss', null, 'output_lost'],
    ['a damaged log: with the damage', "UPDATE audit SET body = '{}' WHERE id = 2", 'audit_unreadable'],
  ])('ends, when nobody reads any more, for %s', async (_, damage, code) => {
    const path = filled();
    if (damage !== null) fixture?.edit(damage);
    let written = 0;
    const write = () => {
      written += 1;
      throw new FluffyError({ code: 'output_lost', what: 'lost', why: 'no reader', fix: 'read', exitCode: 1 });
    };
    await expect(auditLog({ databasePath: path, json: true, write })).rejects.toMatchObject({ code });
    expect(written).toBe(1);
  });
});
