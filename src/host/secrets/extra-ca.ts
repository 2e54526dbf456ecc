import * as tls from 'node:tls';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { readRegularFile } from '../../lib/files/read-regular-file.ts';
import type { ProviderEnvironment } from './provider-endpoints.ts';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * Certificate authorities that the user trusts beyond Node's own list, as PEM. TLS ends inside the provider's sandbox, which sees no file of the
 * host, so they are sent with the grant: the certificates of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE, and with NODE_USE_SYSTEM_CA=1 those of the
 * system. Anything else in such a file, for example a private key, is left out. Throws FluffyError `ca_file_unusable`.
 */
export async function extraCertificates(env: ProviderEnvironment): Promise<readonly string[]> {
  const fromFiles = await Promise.all(
    ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].map(async (variable) => {
      const path = env[variable];
      return path === undefined || path === '' ? [] : await readCertificates(path, variable);
    }),
  );
  const fromSystem = env['NODE_USE_SYSTEM_CA'] === '1' ? systemCertificates() : [];
  return [...new Set([...fromFiles.flat(), ...fromSystem])];
}

/** `variable`: the name of the setting that gives the file, for the user. Throws FluffyError `ca_file_unusable`. */
export async function readCertificates(path: string, variable: string): Promise<readonly string[]> {
  const unusable = (why: string): FluffyError =>
    new FluffyError({
      code: 'ca_file_unusable',
      what: `The certificates that ${variable} names cannot be used`,
      why,
      fix: `Point ${variable} at a PEM file of certificates, or unset it`,
      exitCode: EXIT.usage,
    });
  const read = await readRegularFile(path, { maxBytes: MAX_FILE_BYTES, links: 'followed' });
  if (read.kind !== 'file')
    throw unusable(`${path} cannot be read: ${read.kind === 'missing' ? 'it does not exist' : read.why}`);
  const certificates = read.bytes.toString('utf8').match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw unusable(`${path} contains no certificate`);
  return certificates;
}

/** Node 22 has the function since 22.15. */
function systemCertificates(): readonly string[] {
  return 'getCACertificates' in tls ? tls.getCACertificates('system') : [];
}
