import { exchange, type Engine } from './engine-request.ts';

/** What a socket is found to be: an engine, or why it is none that can be used. */
export type Probe =
  | { readonly kind: 'answers'; readonly engine: Engine }
  | { readonly kind: 'too-old' | 'forbidden' | 'silent' | 'absent'; readonly path: string };

/** The oldest API with private cgroup namespaces (Docker 20.10), and the newest that is spoken. */
export const OLDEST_MINOR = 41;
const NEWEST_MINOR = 44;

/** Asks whether an engine listens on this socket. Never rejects. */
export async function probeEngine(path: string): Promise<Probe> {
  try {
    const { status, headers } = await exchange(path, 'GET', '/_ping', { timeoutMs: 5_000 });
    const minor = Number(/^1\.(\d+)$/.exec(String(headers['api-version']))?.[1] ?? NaN);
    if (status !== 200 || Number.isNaN(minor)) return { kind: 'silent', path };
    if (minor < OLDEST_MINOR) return { kind: 'too-old', path };
    return { kind: 'answers', engine: { socketPath: path, apiVersion: `1.${Math.min(minor, NEWEST_MINOR)}` } };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent', path };
    return { kind: code === 'EACCES' || code === 'EPERM' ? 'forbidden' : 'silent', path };
  }
}
