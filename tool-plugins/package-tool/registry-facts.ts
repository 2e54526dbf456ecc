import { request } from 'node:http';
import { connect as connectTls, rootCertificates } from 'node:tls';
import type { RegistryFacts } from '../../src/contracts/sandbox/package-managers.ts';
import { throughGate } from './gate.ts';
import type { PackageWork } from './package-work.ts';
import { parseJson } from '../../src/lib/parse-json.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** JSON at a path of the user's registry; null where it has none there, or cannot be asked. */
export async function askRegistry(work: PackageWork, path: string, accept = 'application/json'): Promise<unknown> {
  const base = work.grant.registry.replace(/\/?$/, '/');
  const text = await fetchText(new URL(`${base}${path}`), work, accept).catch(() => '');
  return parseJson(text) ?? null;
}

/** As it is, where the registry has no JSON; null where it does not answer. */
export async function askRegistryText(work: PackageWork, path: string): Promise<string | null> {
  const base = work.grant.registry.replace(/\/?$/, '/');
  return fetchText(new URL(`${base}${path}`), work, '*/*').catch(() => null);
}

async function fetchText(url: URL, { gatePath, grant, job }: PackageWork, accept: string): Promise<string> {
  const isTls = url.protocol === 'https:';
  const socket = await throughGate(gatePath, `${url.hostname}:${url.port || (isTls ? '443' : '80')}`);
  const secure = isTls
    ? connectTls({
        socket,
        servername: url.hostname,
        ca: [...rootCertificates, ...grant.extra_ca],
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
      answer.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    asked.setTimeout(job.fetch_timeout_ms, () => asked.destroy(new Error('no answer in time')));
    secure.once('error', reject);
    asked.once('error', reject);
    asked.end();
  });
}

/** Facts of a package that the registry does not tell are null. */
export function unknownFacts(name: string, version: string): RegistryFacts {
  return { name, version, published_ms: null, maintainers: null, licence: null };
}
