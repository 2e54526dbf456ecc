import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
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

async function fetchText(url: URL, work: PackageWork, accept: string): Promise<string> {
  const answer = await requestThroughGate(url, work, accept);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** One request on a connection of its own, which ends when nothing comes for the time of the job. Rejects with NoWayOut where there is no connection. */
export async function requestThroughGate(
  url: URL,
  { gatePath, grant, job }: Pick<PackageWork, 'gatePath' | 'grant' | 'job'>,
  accept: string,
): Promise<IncomingMessage> {
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
    const asked = request({ createConnection: () => secure, path, headers }, resolve);
    const seconds = job.fetch_timeout_ms / 1000;
    const silent = new Error(`it sent nothing within ${seconds} s`);
    asked.setTimeout(job.fetch_timeout_ms, () => asked.destroy(silent));
    secure.once('error', reject);
    asked.once('error', reject);
    asked.end();
  });
}

/** Facts of a package that the registry does not tell are null. */
export function unknownFacts(name: string, version: string): RegistryFacts {
  return { name, version, published_ms: null, maintainers: null, licence: null };
}
