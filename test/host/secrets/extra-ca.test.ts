import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extraCertificates } from '../../../src/host/secrets/extra-ca.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-ca-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

const certificate = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;

test('takes the certificates of both files once, and nothing else that lies in them', async () => {
  const one = join(directory, 'one.pem');
  const two = join(directory, 'two.pem');
  const privateKey = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----';
  await writeFile(one, `# corp root\n${certificate('QUFB')}\n${privateKey}\n${certificate('QkJC')}\n`);
  await writeFile(two, certificate('QUFB'));
  const found = await extraCertificates({ NODE_EXTRA_CA_CERTS: one, SSL_CERT_FILE: two });
  expect(found).toEqual([certificate('QUFB'), certificate('QkJC')]);
});

test('none are named, none are taken', async () => {
  expect(await extraCertificates({ NODE_EXTRA_CA_CERTS: '' })).toEqual([]);
});

test.each([
  ['missing', null, 'cannot be read'],
  ['without a certificate', 'just text', 'contains no certificate'],
  ['too large', `${certificate('QUFB')}${' '.repeat(2 * 1024 * 1024)}`, 'is too large'],
])('a file that is %s is an error, not ignored', async (_what, content, why) => {
  const path = join(directory, 'ca.pem');
  if (content !== null) await writeFile(path, content);
  await expect(extraCertificates({ NODE_EXTRA_CA_CERTS: path })).rejects.toMatchObject({
    code: 'ca_file_unusable',
    why: `${path} ${why}`,
    exitCode: 2,
  });
});
