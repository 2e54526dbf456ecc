import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PeerIdentity } from '../../src/ipc/peer-identity.ts';
import { getPeerIdentity, parseUcred, parseXucred } from '../../src/ipc/peer-identity.ts';
import { connectPeer, servePeers } from '../../src/ipc/unix-peers.ts';
import { connect, listen } from '../../src/ipc/unix-socket.ts';
import type { Listener } from '../../src/ipc/unix-socket.ts';
import { HELLO } from './peer-pair.ts';

let directory: string;
const cleanups: (() => Promise<void>)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-sock-'));
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  await rm(directory, { recursive: true });
});

function closeLater(listener: Listener): Listener {
  cleanups.push(() => listener.close());
  return listener;
}

const socketPath = () => join(directory, 'a.sock');

async function ended(socket: Socket): Promise<boolean> {
  socket.resume();
  if (!socket.destroyed) await once(socket, 'close');
  return true;
}

describe('listen', () => {
  it('gives the socket file the wanted permissions and removes it at the end', async () => {
    const listener = await listen(socketPath(), { mode: 0o620, onConnection: () => undefined });
    expect((await stat(socketPath())).mode & 0o777).toBe(0o620);
    await listener.close();
    await expect(stat(socketPath())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(process.getuid?.() === 0)('hands the socket file to another user', async () => {
    closeLater(
      await listen(socketPath(), { mode: 0o600, owner: { uid: 12_345, gid: 12_346 }, onConnection: () => undefined }),
    );
    expect(await stat(socketPath())).toMatchObject({ uid: 12_345, gid: 12_346 });
  });

  it('closes a connection over the limit and takes a new one when there is room', async () => {
    const heard: Socket[] = [];
    closeLater(
      await listen(socketPath(), { mode: 0o600, maxConnections: 1, onConnection: (socket) => heard.push(socket) }),
    );
    const first = await connect(socketPath());
    const second = await connect(socketPath());
    expect(await ended(second)).toBe(true);
    expect(first.destroyed).toBe(false);
    first.destroy();
    while (heard[0]?.destroyed !== true) await once(heard[0] ?? first, 'close');
    await connect(socketPath());
    while (heard.length < 2) await new Promise(setImmediate);
    expect(heard[1]?.destroyed).toBe(false);
  });

  it('with a total of one is gone after its first connection, which lives on', async () => {
    const heard = Promise.withResolvers<Socket>();
    const listener = closeLater(
      await listen(socketPath(), { mode: 0o600, maxTotal: 1, onConnection: (socket) => heard.resolve(socket) }),
    );
    const first = await connect(socketPath());
    const server = await heard.promise;
    await expect(connect(socketPath())).rejects.toMatchObject({ code: 'socket_unreachable' });
    await expect(stat(socketPath())).rejects.toMatchObject({ code: 'ENOENT' });
    server.write('still here');
    expect(String((await once(first, 'data'))[0])).toBe('still here');
    await listener.close();
    expect(await ended(first)).toBe(true);
  });

  it('replaces a socket file whose listener died', async () => {
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script, socketPath()]);
    expect((await stat(socketPath())).isSocket()).toBe(true);
    closeLater(await listen(socketPath(), { mode: 0o600, onConnection: () => undefined }));
    (await connect(socketPath())).destroy();
  });

  it('refuses a path on which another process listens', async () => {
    closeLater(await listen(socketPath(), { mode: 0o600, onConnection: () => undefined }));
    await expect(listen(socketPath(), { mode: 0o600, onConnection: () => undefined })).rejects.toMatchObject({
      code: 'socket_in_use',
    });
  });

  it.runIf(process.platform === 'linux')('leaves a socket alone whose listener is too busy to answer', async () => {
    const script = `require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => process.stdout.write('ok'))`;
    const child = spawn(process.execPath, ['-e', script, socketPath()], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    const waiting: Socket[] = [];
    cleanups.push(() => {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
      return Promise.resolve();
    });
    let failure: unknown = null;
    while (failure === null) {
      failure = await connect(socketPath()).then(
        (socket) => {
          waiting.push(socket);
          return null;
        },
        (error: unknown) => error,
      );
    }
    expect(failure).toMatchObject({ code: 'socket_unreachable', cause: { code: 'EAGAIN' } });
    await expect(listen(socketPath(), { mode: 0o600, onConnection: () => undefined })).rejects.toMatchObject({
      code: 'socket_in_use',
    });
    expect((await stat(socketPath())).isSocket()).toBe(true);
  });

  it('survives a connection that is reset before anybody listens to it', async () => {
    const heard = Promise.withResolvers<Socket>();
    closeLater(
      await listen(socketPath(), {
        mode: 0o600,
        onConnection: (socket) => {
          socket.write('unread');
          socket.resume();
          heard.resolve(socket);
        },
      }),
    );
    const client = await connect(socketPath());
    const server = await heard.promise;
    // No listener for `error` here: the one that must be there is the listener's own.
    const closed = Promise.withResolvers<boolean>();
    server.once('close', closed.resolve);
    client.destroy();
    expect(await closed.promise).toBe(true);
    (await connect(socketPath())).destroy();
  });

  it('never removes what is not a socket', async () => {
    await writeFile(socketPath(), 'precious');
    await expect(listen(socketPath(), { mode: 0o600, onConnection: () => undefined })).rejects.toMatchObject({
      code: 'socket_unusable',
    });
    expect(await readFile(socketPath(), 'utf8')).toBe('precious');
  });

  it('says when a path is too long for a socket, to the byte', async () => {
    const longest = process.platform === 'darwin' ? 103 : 107;
    const pathOf = (bytes: number) => padTo(directory, bytes);
    closeLater(await listen(pathOf(longest), { mode: 0o600, onConnection: () => undefined }));
    const tooLong = listen(pathOf(longest + 1), { mode: 0o600, onConnection: () => undefined });
    await expect(tooLong).rejects.toMatchObject({
      code: 'socket_path_too_long',
      fix: expect.stringContaining('XDG_RUNTIME_DIR') as string,
    });
    await expect(connect(pathOf(longest + 1))).rejects.toMatchObject({ code: 'socket_path_too_long' });
  });
});

/** A path of exactly that many bytes, ending in a two-byte character. */
function padTo(parent: string, bytes: number): string {
  return `${parent}/${'s'.repeat(bytes - Buffer.byteLength(parent) - 3)}é`;
}

describe('peer identity', () => {
  it.runIf(process.platform === 'linux')('names the process that connected', async () => {
    const heard = Promise.withResolvers<PeerIdentity | null>();
    closeLater(
      await listen(socketPath(), {
        mode: 0o600,
        onConnection: (socket) => void getPeerIdentity(socket).then(heard.resolve),
      }),
    );
    const script = `require('net').connect(process.argv[1]).resume()`;
    const child = spawn(process.execPath, ['-e', script, socketPath()]);
    const identity = await heard.promise;
    child.kill('SIGKILL');
    expect(identity).toEqual({ pid: child.pid, uid: process.getuid?.(), gid: process.getgid?.() });
  });

  it('is unknown for a closed socket', async () => {
    closeLater(await listen(socketPath(), { mode: 0o600, onConnection: () => undefined }));
    const socket = await connect(socketPath());
    socket.destroy();
    expect(await getPeerIdentity(socket)).toBeNull();
  });

  it('is read from the structures of both systems', () => {
    const ucred = Buffer.from([1, 0, 0, 0, 0xe8, 3, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
    expect(parseUcred(ucred)).toEqual({ pid: 1, uid: 1000, gid: 4_294_967_294 });
    const xucred = Buffer.alloc(76);
    xucred.writeUInt32LE(501, 4);
    xucred.writeInt16LE(2, 8);
    xucred.writeUInt32LE(20, 12);
    expect(parseXucred(xucred, 7)).toEqual({ pid: 7, uid: 501, gid: 20 });
    xucred.writeUInt32LE(1, 0);
    expect(parseXucred(xucred, 7)).toBeNull();
  });
});

describe('servePeers', () => {
  it('knows who connects and lets it speak', async () => {
    closeLater(
      await servePeers(socketPath(), {
        mode: 0o600,
        kernelVersion: '0',
        allowUids: [process.getuid?.() ?? -1],
        onPeer: (peer, hello, identity) => {
          peer.onRequest('who', z.strictObject({}), () => [hello.plugin_name, identity?.uid]);
        },
      }),
    );
    const peer = await connectPeer(socketPath(), { hello: HELLO });
    expect(await peer.request('who', {})).toEqual(['test', process.getuid?.()]);
  });

  it('refuses a user that may not connect, before the handshake', async () => {
    const refused = Promise.withResolvers<unknown>();
    closeLater(
      await servePeers(socketPath(), {
        mode: 0o600,
        kernelVersion: '0',
        allowUids: [4_000_000],
        onPeer: () => expect.unreachable(),
        onRefused: (reason, identity) => refused.resolve([reason, identity?.uid]),
      }),
    );
    await expect(connectPeer(socketPath(), { hello: HELLO })).rejects.toMatchObject({ code: 'ipc_handshake_failed' });
    expect(await refused.promise).toEqual([
      { kind: 'violation', rule: 'a user that may not connect' },
      process.getuid?.(),
    ]);
  });
});
