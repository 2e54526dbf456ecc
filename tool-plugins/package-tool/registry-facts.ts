import { request } from 'node:http';
import { connect as connectTls, rootCertificates } from 'node:tls';
import type { RegistryFacts } from '../../src/contracts/sandbox/package-managers.ts';
import { throughGate } from './gate.ts';
import { parseJson } from '../../src/lib/parse-json.ts';

export interface FactSource {
  readonly gatePath: string;
  readonly extraCa: readonly string[];
  readonly timeoutMs: number;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** JSON at an address of the registry. Rejects where there is none. */
export async function fetchJson(
  url: URL,
  { gatePath, extraCa, timeoutMs }: FactSource,
  accept = 'application/json',
): Promise<unknown> {
  const isTls = url.protocol === 'https:';
  const socket = await throughGate(gatePath, `${url.hostname}:${url.port || (isTls ? '443' : '80')}`);
  const secure = isTls
    ? connectTls({
        socket,
        servername: url.hostname,
        ca: [...rootCertificates, ...extraCa],
        ALPNProtocols: ['http/1.1'],
      })
    : socket;
  return await new Promise((resolve, reject) => {
    const path = `${url.pathname}${url.search}`;
    const headers = { host: url.host, accept, connection: 'close' };
    const asked = request({ createConnection: () => secure, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) asked.destroy(new Error('the answer is too long'));
        chunks.push(chunk);
      });
      answer.once('end', () => {
        const value = parseJson(Buffer.concat(chunks).toString('utf8'));
        if (value === undefined) reject(new Error('the answer is not JSON'));
        else resolve(value);
      });
    });
    asked.setTimeout(timeoutMs, () => asked.destroy(new Error('no answer in time')));
    secure.once('error', reject);
    asked.once('error', reject);
    asked.end();
  });
}

/** Facts of a package that the registry does not tell are null. */
export function unknownFacts(name: string, version: string): RegistryFacts {
  return { name, version, published_ms: null, maintainers: null, licence: null };
}
