import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { NoWayOut } from '../../sdk/through-gate.ts';
import type { GoSettings } from './go-settings.ts';
import type { PackageWork } from '../package-work.ts';
import { followThroughGate } from '../registry-facts.ts';

export interface ModuleProxy {
  /** What Go is given in place of the user's own settings. */
  readonly goproxy: string;
  readonly gosumdb: string;
  /** Why answers of others did not come about, in the order of the requests. */
  readonly failures: readonly ModuleFailure[];
  /** A text of Go with the user's addresses in place of those of the loopback. */
  withRealAddresses(text: string): string;
  close(): void;
}

export interface ModuleFailure {
  readonly of: 'proxy' | 'database';
  readonly message: string;
  readonly refused: boolean;
}

const DATABASE = 'sumdb';
/** Go falls back to the next proxy where a module is not found, and nowhere else; a failure here must not look like that. */
const FAILED = 502;

/**
 * The user's module proxies and checksum database on the sandbox's own loopback. Go uses no HTTP proxy for a host that is itself on the loopback, sets no
 * limit of time, and does not tell a refused connection from a lost one. Each request is asked of the egress gate; nothing is stored and nothing is
 * changed: what comes is checked by Go, against go.sum or the database, whose key Go has.
 */
export async function openModuleProxy(work: PackageWork, settings: GoSettings): Promise<ModuleProxy> {
  const failures: ModuleFailure[] = [];
  const database = settings.database === null ? null : lazily(() => databaseBase(work, settings));
  const targetOf = async (path: string): Promise<URL | null> => {
    const [, first = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
    const base = first === DATABASE ? await database?.() : settings.proxies[Number(first)]?.url;
    return base === undefined ? null : new URL(`${base}${rest}`);
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const isDatabase = path.startsWith(`/${DATABASE}/`);
    passOn(work, targetOf(path), response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const refused = error instanceof NoWayOut && error.refused;
      failures.push({ of: isDatabase ? 'database' : 'proxy', message, refused });
      if (response.headersSent) response.destroy();
      else response.writeHead(FAILED, { 'content-type': 'text/plain' }).end(message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    goproxy: settings.proxies.map(({ separator }, index) => `${own}/${index}${separator}`).join(''),
    gosumdb: settings.database === null ? 'off' : `${settings.database.key} ${own}/${DATABASE}`,
    failures,
    withRealAddresses: (text) =>
      text
        .replaceAll(`${own}/${DATABASE}`, settings.database?.name ?? '')
        .replace(
          new RegExp(`${own}/(\\d+)`, 'g'),
          (_, index: string) => settings.proxies[Number(index)]?.url ?? settings.proxies[0]?.url ?? '',
        ),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function passOn(work: PackageWork, target: Promise<URL | null>, response: ServerResponse): Promise<void> {
  const url = await target;
  if (url === null) return void response.writeHead(404).end();
  const answer = await followThroughGate(url, work, '*/*').catch((error: unknown) => {
    throw error instanceof NoWayOut || !(error instanceof Error) ? error : new Error(`${url.host}: ${error.message}`);
  });
  response.writeHead(answer.statusCode ?? FAILED, { 'content-type': answer.headers['content-type'] ?? '' });
  await pipeline(answer, response);
}

/** As Go looks for it: at the address that the user names, else at the first proxy that has it, else where its own name says. */
async function databaseBase(work: PackageWork, { database, proxies }: GoSettings): Promise<string> {
  if (database !== null && database.address !== null) return database.address;
  const name = database?.name ?? '';
  for (const { url } of proxies) {
    const base = `${url}/sumdb/${name}`;
    const answer = await followThroughGate(new URL(`${base}/supported`), work, '*/*').catch(() => null);
    answer?.destroy();
    if (answer?.statusCode === 200) return base;
  }
  return `https://${name}`;
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
