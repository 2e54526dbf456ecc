import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { FrameChannel } from '../../src/ipc/frame-channel.ts';

it('a channel that is closed sends nothing, and says that nobody has to wait', async () => {
  const [near, far] = duplexPair();
  const faults: Error[] = [];
  near.on('error', (error) => faults.push(error));
  const received: Buffer[] = [];
  far.on('data', (chunk: Buffer) => received.push(chunk));
  far.on('end', () => far.end());
  const channel = new FrameChannel(near, () => undefined);
  channel.close();
  expect(channel.send({ late: true })).toBe(true);
  await channel.closed;
  expect({ faults, received }).toEqual({ faults: [], received: [] });
});
