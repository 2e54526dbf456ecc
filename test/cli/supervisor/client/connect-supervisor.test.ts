import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { connectSupervisor } from '../../../../src/cli/supervisor/client/connect-supervisor.ts';
import { API_VERSION } from '../../../../src/contracts/ipc-message.ts';
import { FrameDecoder, encodeFrame } from '../../../../src/ipc/frame.ts';
import { listen } from '../../../../src/ipc/unix-socket.ts';

let directory = '';
afterEach(() => rm(directory, { recursive: true, force: true }));

it('is understood by a supervisor of the version before this one', async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-supervisor-'));
  const before = API_VERSION - 1;
  const older = await listen(join(directory, 's'), {
    mode: 0o600,
    onConnection: (socket) => {
      const decoder = new FrameDecoder();
      const answer = (message: { id?: string; syscall_api_version?: number }) => {
        if (message.id !== undefined) return { type: 'response', id: message.id, result: {} };
        const supported_api_versions = [before - 1, before];
        return message.syscall_api_version === before
          ? { type: 'handshake_ack', kernel_version: '0', supported_api_versions, negotiated_api_version: before }
          : { type: 'handshake_reject', reason: 'too new for me', supported_api_versions };
      };
      socket.on('data', (chunk: Buffer) =>
        decoder.push(chunk, (head) => socket.write(encodeFrame(answer(JSON.parse(head.toString()) as object)))),
      );
    },
  });
  const peer = await connectSupervisor(older.path, () => undefined);
  expect(await peer.request('stop', {})).toEqual({});
  peer.close();
  await peer.closed;
  await older.close();
});
