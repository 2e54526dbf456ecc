import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
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
  ['a link to a device', (path: string) => symlinkSync('/dev/zero', path), 'it is a device, not a regular file'],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is a pipe, not a regular file'],
])('%s in its place is an error at once', async (_what, make, why) => {
  const path = join(directory, 'odd.pem');
  make(path);
  await expect(extraCertificates({ SSL_CERT_FILE: path })).rejects.toMatchObject({
    code: 'ca_file_unusable',
    why: `${path} cannot be read: ${why}`,
  });
});

test.each([
  ['missing', null, 'cannot be read: it does not exist'],
  ['without a certificate', 'just text', 'contains no certificate'],
  [
    'too large',
    `${certificate('QUFB')}${' '.repeat(2 * 1024 * 1024)}`,
    'cannot be read: it is larger than 2097152 bytes',
  ],
])('a file that is %s is an error, not ignored', async (_what, content, why) => {
  const path = join(directory, 'ca.pem');
  if (content !== null) await writeFile(path, content);
  await expect(extraCertificates({ NODE_EXTRA_CA_CERTS: path })).rejects.toMatchObject({
    code: 'ca_file_unusable',
    why: `${path} ${why}`,
    exitCode: 2,
  });
});
