import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogDemultiplexer } from '../../../src/platform/docker/log-demultiplexer.ts';

function frame(stream: 1 | 2, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

test('both streams in the order they came, however the bytes were cut', () => {
  const part = fc.tuple(fc.constantFrom<1 | 2>(1, 2), fc.uint8Array({ maxLength: 20 }));
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.integer({ min: 1, max: 30 })), (parts, cuts) => {
      const wire = Buffer.concat(parts.map(([stream, bytes]) => frame(stream, Buffer.from(bytes))));
      const heard: Buffer[] = [];
      const demultiplexer = new LogDemultiplexer((chunk) => heard.push(Buffer.from(chunk)));
      let at = 0;
      for (const cut of cuts) {
        demultiplexer.push(wire.subarray(at, at + cut));
        at += cut;
      }
      demultiplexer.push(wire.subarray(at));
      expect(Buffer.concat(heard)).toEqual(Buffer.concat(parts.map(([, bytes]) => Buffer.from(bytes))));
    }),
  );
});

test('a frame that claims to be huge takes no memory until it comes', () => {
  const header = Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
  const heard: string[] = [];
  const demultiplexer = new LogDemultiplexer((chunk) => heard.push(chunk.toString()));
  demultiplexer.push(Buffer.concat([header, Buffer.from('only this')]));
  expect(heard).toEqual(['only this']);
});
