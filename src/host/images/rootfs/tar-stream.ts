import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { assertNever } from '../../../lib/assert-never.ts';
import type { FileContent, RootfsEntry } from './rootfs-entry.ts';

const BLOCK = 512;
/** 2020-01-01T00:00:00Z. Not zero, because some tools treat a file with time zero as missing. */
const FIXED_MTIME_SECONDS = 1_577_836_800;

const TYPE = { file: '0', symlink: '2', directory: '5', pax: 'x' } as const;

/**
 * The entries as a tar archive (POSIX pax), in the given order, owned by root, with one fixed time: equal entries give equal bytes.
 *
 * @throws Error if a file on disk changes its length while it is read, because its header has been sent by then.
 */
export async function* tarStream(entries: Iterable<RootfsEntry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    switch (entry.kind) {
      case 'directory':
        yield* header({ path: `${entry.path}/`, mode: entry.mode, size: 0, type: TYPE.directory, target: '' });
        break;
      case 'symlink':
        yield* header({ path: entry.path, mode: 0o777, size: 0, type: TYPE.symlink, target: entry.target });
        break;
      case 'file': {
        const size = await contentLength(entry.content);
        yield* header({
          path: entry.path,
          mode: entry.mode,
          size,
          type: TYPE.file,
          target: '',
          mtimeSeconds: entry.mtimeSeconds,
        });
        yield* content(entry.content, entry.path, size);
        break;
      }
      default:
        assertNever(entry);
    }
  }
  yield Buffer.alloc(2 * BLOCK);
}

interface HeaderFields {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
  readonly target: string;
  readonly mtimeSeconds?: number | undefined;
}

function* header(fields: HeaderFields): Generator<Uint8Array> {
  const records = paxRecords(fields);
  if (records.length > 0) {
    const body = Buffer.from(records, 'utf8');
    yield block({ path: 'pax', mode: 0o644, size: body.length, type: TYPE.pax, target: '' });
    yield body;
    yield padding(body.length);
  }
  yield block(fields);
}

/** Names that are too long for the fixed header (100 bytes), or that it cannot represent, are in a pax record before it. */
function paxRecords({ path, target }: HeaderFields): string {
  let records = '';
  if (Buffer.byteLength(path) > 100) records += paxRecord('path', path);
  if (Buffer.byteLength(target) > 100) records += paxRecord('linkpath', target);
  return records;
}

/** `<length> key=value\n`, where the length includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const restLength = Buffer.byteLength(rest);
  let length = restLength + String(restLength).length;
  if (String(length).length !== String(restLength).length) length = restLength + String(length).length;
  return `${length}${rest}`;
}

function block({ path, mode, size, type, target, mtimeSeconds = FIXED_MTIME_SECONDS }: HeaderFields): Uint8Array {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, offset: number, length: number): void => {
    bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1');
  };
  Buffer.from(path).copy(bytes, 0, 0, 100);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(mtimeSeconds, 136, 12);
  bytes.write('        ', 148, 'latin1');
  bytes.write(type, 156, 'latin1');
  Buffer.from(target).copy(bytes, 157, 0, 100);
  bytes.write('ustar\0' + '00', 257, 'latin1');
  let sum = 0;
  for (const byte of bytes) sum += byte;
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

function padding(length: number): Uint8Array {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);
}

async function contentLength(source: FileContent): Promise<number> {
  return source.kind === 'bytes' ? source.bytes.length : (await stat(source.path)).size;
}

async function* content(source: FileContent, path: string, size: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  if (source.kind === 'bytes') {
    sent = source.bytes.length;
    yield source.bytes;
  } else {
    for await (const chunk of createReadStream(source.path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      sent += chunk.length;
      if (sent > size) break;
      yield chunk;
    }
  }
  if (sent !== size)
    throw new Error(`${path} changed while it was being copied (${size} bytes announced, ${sent} read)`);
  yield padding(size);
}
