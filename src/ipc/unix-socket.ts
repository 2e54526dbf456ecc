import { chmod, chown, lstat, unlink } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { messageOf } from '../lib/text/message-of.ts';

export interface ListenOptions {
  /** Permissions of the socket file, e.g. 0o600. */
  readonly mode: number;
  /** Owner to hand the socket file to; only root may. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Open at once; one more is closed unheard. */
  readonly maxConnections?: number;
  /** Ever accepted; after the last the socket file is removed. A sandbox's socket has 1: nobody may take the place of who came first. */
  readonly maxTotal?: number;
  readonly onConnection: (socket: Socket) => void;
}

export interface Listener {
  readonly path: string;
  /** Stops listening, ends open connections and removes the socket file. */
  close(): Promise<void>;
}

/** `sun_path` without its final NUL. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Listens on a Unix socket in a directory that only trusted users may write to. A socket file that nobody listens on any more
 * is replaced. Throws FluffyError `socket_path_too_long`, `socket_in_use`, `socket_unusable`.
 */
export async function listen(path: string, options: ListenOptions): Promise<Listener> {
  checkPath(path);
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    // Without a listener a reset by the other side would end this process.
    socket.on('error', () => socket.destroy());
    const full = sockets.size >= (options.maxConnections ?? Infinity) || accepted >= (options.maxTotal ?? Infinity);
    if (full) return void socket.destroy();
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (accepted === options.maxTotal) server.close();
    options.onConnection(socket);
  });
  await removeStaleSocket(path);
  try {
    await bind(server, path);
    if (options.owner !== undefined) await chown(path, options.owner.uid, options.owner.gid);
    await chmod(path, options.mode);
  } catch (error) {
    server.close();
    throw unusable(path, error);
  }
  return {
    path,
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      await promise;
    },
  };
}

/** Throws FluffyError `socket_path_too_long`, `socket_unreachable`. */
export async function connect(path: string, options: { readonly timeoutMs?: number } = {}): Promise<Socket> {
  checkPath(path);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = createConnection({ path });
  socket.once('connect', resolve);
  socket.once('error', reject);
  const timer = setTimeout(() => reject(new Error('no connection in time')), options.timeoutMs ?? 5_000);
  try {
    await promise;
    // Whoever takes the socket over listens for errors of its own.
    socket.on('error', () => undefined);
    socket.off('error', reject);
    return socket;
  } catch (error) {
    socket.destroy();
    throw new FluffyError({
      code: 'socket_unreachable',
      what: `Nobody answers on ${path}`,
      why: messageOf(error),
      fix: 'Run fluffy again; if it stays, run fluffy doctor',
      exitCode: EXIT.kernelCrashed,
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function checkPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_PATH_BYTES) return;
  throw new FluffyError({
    code: 'socket_path_too_long',
    what: `A socket cannot be made at ${path}`,
    why: `its path has ${bytes} bytes; this system allows ${MAX_PATH_BYTES}`,
    fix: 'Set XDG_RUNTIME_DIR to a directory with a shorter path',
    exitCode: EXIT.usage,
  });
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw unusable(path, new Error('something that is no socket is there already'));
  if (await isAbandoned(path)) return unlink(path);
  throw new FluffyError({
    code: 'socket_in_use',
    what: `A socket cannot be made at ${path}`,
    why: 'another process listens there',
    fix: 'Wait until it has ended, or end it',
    exitCode: EXIT.kernelCrashed,
  });
}

/** Only a refusal proves that nobody listens: a full backlog or missing permission does not. */
async function isAbandoned(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createConnection({ path });
  probe.once('connect', () => resolve(false));
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  const abandoned = await promise;
  probe.destroy();
  return abandoned;
}

async function bind(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await promise;
  // A connection that could not be accepted (no descriptor left) is that connection's loss.
  server.on('error', () => undefined);
  server.off('error', reject);
}

function unusable(path: string, cause: unknown): FluffyError {
  return new FluffyError({
    code: 'socket_unusable',
    what: `A socket cannot be made at ${path}`,
    why: messageOf(cause),
    fix: 'Check that its directory exists, is yours, and lies on a local file system',
    exitCode: EXIT.noRuntime,
    cause,
  });
}
