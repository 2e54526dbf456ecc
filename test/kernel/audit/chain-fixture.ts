import type { AuditInput } from '../../../src/contracts/audit-entry.ts';
import type { ChainRow } from '../../../src/kernel/audit/verify-chain.ts';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import { genesisHash, linkHash } from '../../../src/lib/hash-chain.ts';

export const GENESIS_MS = 1_760_000_000_000;

export function auditInput(fields: Partial<AuditInput> = {}): AuditInput {
  return {
    event_type: 'tool_execute',
    session_id: 's_abcdefgh',
    tool_name: 'fs.write',
    caller: { plugin: 'fs-tool', sandbox_id: 'x_abcdefgh' },
    session_mode: 'strict',
    state_machine_state: 'code_writing',
    policy_decision: 'allowed',
    input_summary: 'src/a.js',
    ...fields,
  };
}

/** A sound chain, made by hand: not by the code under test. */
export function auditChain(length: number, fields: (id: number) => Partial<AuditInput> = () => ({})): ChainRow[] {
  const rows: ChainRow[] = [];
  let previous = genesisHash(GENESIS_MS);
  for (let id = 1; id <= length; id += 1) {
    const metadata = id === 1 ? { metadata: { genesis_timestamp: String(GENESIS_MS) } } : {};
    const row = sealRow(id, previous, { ...auditInput(fields(id)), ...metadata, timestamp: GENESIS_MS + id });
    rows.push(row);
    previous = row.hash;
  }
  return rows;
}

export function sealRow(id: number, previous: string, body: object): { id: number; body: string; hash: string } {
  const text = canonicalJson({ ...body, id, prev_hash: previous });
  return { id, body: text, hash: linkHash(previous, text) };
}
