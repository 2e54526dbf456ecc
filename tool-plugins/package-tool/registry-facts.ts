import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { RegistryFacts } from '../../src/contracts/sandbox/package-managers.ts';
import { openGateAgent } from './gate-agent.ts';
import type { GateAgents } from './gate-agent.ts';
import type { PackageWork } from './package-work.ts';
import { parseJson } from '../../src/lib/parse-json.ts';

const MAX_REDIRECTS = 5;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

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
  return (await readAnswer(await requestThroughGate(url, work, accept))).toString('utf8');
}

/** The whole of an answer, up to a limit. */
export async function readAnswer(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As `requestThroughGate`, and to where an answer leads on: the gate decides again about each host. */
export async function followThroughGate(
  url: URL,
  work: Pick<PackageWork, 'gatePath' | 'grant' | 'job'>,
  accept: string,
  agents?: GateAgents,
): Promise<IncomingMessage> {
  let at = url;
  for (let step = 0; ; step += 1) {
    const answer = await requestThroughGate(at, work, accept, agents);
    const { location } = answer.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) && location !== undefined;
    if (!isRedirect) return answer;
    answer.destroy();
    const next = URL.canParse(location, at) ? new URL(location, at) : null;
    if (next === null || step === MAX_REDIRECTS || (at.protocol === 'https:' && next.protocol !== 'https:'))
      throw new Error('it leads on to another address too often, or to none that is safe');
    at = next;
  }
}

/** One request, which ends when nothing comes for the time of the job. Without agents its connection is its own. Rejects with NoWayOut where there is none. */
export async function requestThroughGate(
  url: URL,
  work: Pick<PackageWork, 'gatePath' | 'grant' | 'job'>,
  accept: string,
  agents?: GateAgents,
): Promise<IncomingMessage> {
  const own = agents ?? openGateAgent(work);
  return await new Promise((resolve, reject) => {
    const asked = request(
      {
        agent: own.for(url),
        host: url.hostname,
        port: url.port || (url.protocol === 'https:' ? '443' : '80'),
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, accept },
      },
      (answer) => {
        if (agents === undefined) answer.once('close', () => own.destroy());
        resolve(answer);
      },
    );
    const { fetch_timeout_ms: timeoutMs } = work.job;
    asked.setTimeout(timeoutMs, () => asked.destroy(new Error(`it sent nothing within ${timeoutMs / 1000} s`)));
    asked.once('error', (error) => {
      if (agents === undefined) own.destroy();
      reject(error);
    });
    asked.end();
  });
}

/** Facts of a package that the registry does not tell are null. */
export function unknownFacts(name: string, version: string): RegistryFacts {
  return { name, version, published_ms: null, maintainers: null, licence: null };
}
