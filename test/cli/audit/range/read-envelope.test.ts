import { expect, test } from 'vitest';
import { readEnvelope } from '../../../../src/cli/audit/range/read-envelope.ts';
import { MAX_ENVELOPE_BYTES, PAYLOAD_TYPE } from '../../../../src/contracts/review/evidence.ts';

test.each<readonly [string, Buffer, string]>([
  [
    'longer than any that is written',
    Buffer.alloc(MAX_ENVELOPE_BYTES + 1, ' '),
    `it has ${MAX_ENVELOPE_BYTES + 1} bytes`,
  ],
  ['that is no JSON', Buffer.from('{'), ''],
  ['of another form', Buffer.from('{}'), 'it is not a DSSE envelope of an in-toto statement'],
  [
    'whose payload has two spellings in base64',
    Buffer.from(JSON.stringify({ payloadType: PAYLOAD_TYPE, payload: 'e31=', signatures: [] })),
    'its payload is not plain base64',
  ],
])('an envelope %s is bad, whoever signed it', (_what, file, why) => {
  const read = readEnvelope(file, []);
  expect(read).toMatchObject({ kind: 'bad', problem: { check: 'envelope' } });
  expect(JSON.stringify(read)).toContain(why);
});
