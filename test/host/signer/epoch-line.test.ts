import { expect, test } from 'vitest';
import { readEpochLine, writeEpochLine } from '../../../src/host/signer/epoch-line.ts';
import { generateSigningKey } from '../../../src/host/signer/signing-key.ts';

const { key } = generateSigningKey();
const { key: approver } = generateSigningKey();
const { key: stranger } = generateSigningKey();
const EPOCH = { project: 'p1', epoch: 2, entries: 5, head: 'a'.repeat(64), ts: 10 };
const LINE = writeEpochLine(EPOCH, approver, key);
const changed = (change: object): string => JSON.stringify({ ...(JSON.parse(LINE) as object), ...change });

test('an epoch that a person approved and this host signed is read as it was written', () => {
  expect(readEpochLine(LINE, 'p1', key.publicKey)).toEqual(EPOCH);
});

/** Signed by the host, as a host that was taken over could do; no person agreed. */
const unapproved = (): string => {
  const forged = { publicKey: approver.publicKey, sign: (bytes: Buffer) => stranger.sign(bytes) };
  return writeEpochLine(EPOCH, forged, key);
};

test.each([
  ['no JSON', '{'],
  ['of another form', '{}'],
  ['of the first epoch', changed({ epoch: 1 })],
  ['about another project', writeEpochLine({ ...EPOCH, project: 'p2' }, approver, key)],
  ['by the key of another host', writeEpochLine(EPOCH, approver, stranger)],
  ['changed after it was signed', changed({ entries: 4 })],
  ['without the approval of the person whom it names', unapproved()],
])('a line %s begins no epoch', (_what, line) => {
  expect(readEpochLine(line, 'p1', key.publicKey)).toBeNull();
});
