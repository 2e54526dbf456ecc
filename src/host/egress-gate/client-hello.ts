/** What the first bytes of a connection say about the intended TLS server. `serverName` is null if none is named. */
export type ClientHello =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'hello'; readonly serverName: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

export const MAX_HELLO_BYTES = 32 * 1024;

const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME_EXTENSION = 0;
const ENCRYPTED_CLIENT_HELLO_EXTENSION = 0xfe0d;
const MAX_RECORD_BYTES = 16 * 1024;

/**
 * Reads the server name (RFC 6066) from a ClientHello, which may be spread over several records. An encrypted ClientHello is refused: its outer name
 * would be checked, but the inner one decides.
 */
export function readClientHello(received: Buffer): ClientHello {
  const handshake = joinRecords(received);
  if (handshake.kind !== 'bytes') return handshake;
  const message = handshake.bytes;
  if (message.length < 4) return incomplete(received);
  if (message[0] !== CLIENT_HELLO) return refuse('the first TLS message is no ClientHello');
  const length = message.readUIntBE(1, 3);
  if (length > MAX_HELLO_BYTES) return refuse('a ClientHello that is too long');
  if (message.length < 4 + length) return incomplete(received);
  return readBody(new ByteReader(message.subarray(4, 4 + length)));
}

type Records = { readonly kind: 'bytes'; readonly bytes: Buffer } | Extract<ClientHello, { kind: 'refused' }>;

function joinRecords(received: Buffer): Records {
  const fragments: Buffer[] = [];
  let offset = 0;
  while (offset < received.length) {
    if (received[offset] !== HANDSHAKE_RECORD && fragments.length > 0) break;
    if (received[offset] !== HANDSHAKE_RECORD) return refuse('bytes that are no TLS handshake');
    if (offset + 1 < received.length && received[offset + 1] !== 3) return refuse('bytes that are no TLS handshake');
    if (offset + 5 > received.length) break;
    const length = received.readUInt16BE(offset + 3);
    if (length === 0 || length > MAX_RECORD_BYTES) return refuse('a TLS record of impossible length');
    fragments.push(received.subarray(offset + 5, offset + 5 + length));
    offset += 5 + length;
  }
  return { kind: 'bytes', bytes: Buffer.concat(fragments) };
}

function readBody(reader: ByteReader): ClientHello {
  reader.skip(2 + 32);
  reader.skip(reader.uint8());
  reader.skip(reader.uint16());
  reader.skip(reader.uint8());
  if (reader.failed) return refuse('a malformed ClientHello');
  if (reader.remaining === 0) return { kind: 'hello', serverName: null };
  const extensions = new ByteReader(reader.take(reader.uint16()));
  let serverName: string | null = null;
  const seen = new Set<number>();
  while (extensions.remaining > 0) {
    const type = extensions.uint16();
    const body = extensions.take(extensions.uint16());
    if (extensions.failed || seen.has(type)) return refuse('a malformed ClientHello');
    seen.add(type);
    if (type === ENCRYPTED_CLIENT_HELLO_EXTENSION) return refuse('an encrypted ClientHello');
    if (type !== SERVER_NAME_EXTENSION) continue;
    serverName = readServerName(new ByteReader(body));
    if (serverName === null) return refuse('a malformed server name');
  }
  return reader.failed ? refuse('a malformed ClientHello') : { kind: 'hello', serverName };
}

/** Exactly one entry, of type host_name. */
function readServerName(reader: ByteReader): string | null {
  const list = new ByteReader(reader.take(reader.uint16()));
  const type = list.uint8();
  const name = list.take(list.uint16());
  if (reader.failed || list.failed || reader.remaining > 0 || list.remaining > 0 || type !== 0) return null;
  const text = name.toString('latin1');
  return /^[!-~]+$/.test(text) ? text.toLowerCase() : null;
}

function incomplete(received: Buffer): ClientHello {
  return received.length > MAX_HELLO_BYTES ? refuse('a ClientHello that is too long') : { kind: 'incomplete' };
}

function refuse(reason: string): Extract<ClientHello, { kind: 'refused' }> {
  return { kind: 'refused', reason };
}

/** Reads past the end return zeroes and set `failed`, so that a parser checks once and not after every field. */
class ByteReader {
  failed = false;
  private offset = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  take(length: number): Buffer {
    if (length > this.remaining) this.failed = true;
    const taken = this.bytes.subarray(this.offset, this.offset + length);
    this.offset = Math.min(this.offset + length, this.bytes.length);
    return taken;
  }

  skip(length: number): void {
    this.take(length);
  }

  uint8(): number {
    return this.take(1)[0] ?? 0;
  }

  uint16(): number {
    const taken = this.take(2);
    return taken.length === 2 ? taken.readUInt16BE(0) : 0;
  }
}
