import { deflateSync, inflateSync } from 'node:zlib';
import { OBJECT_TYPES } from './object-id.ts';
import type { GitObject, ObjectType } from './object-id.ts';

export type LooseObjectOutcome =
  | { readonly kind: 'ok'; readonly object: GitObject }
  /** `tooLarge`: it exceeds the maximum size; the rest was not read. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly tooLarge: boolean };

/** The longest header of git is `commit ` and a decimal size; a longer one is invalid. */
const MAX_HEADER_BYTES = 32;

/** An object as a file under `objects/`: zlib over header and content. */
export function encodeLooseObject(object: GitObject): Buffer {
  const header = Buffer.from(`${object.type} ${object.content.length}\0`);
  return deflateSync(Buffer.concat([header, object.content]));
}

/**
 * Decodes such a file. At most `maxBytes` of content are inflated, however small the file is. Bytes after the end of the compressed stream make it
 * invalid, so that nothing can be appended to a valid object.
 */
export function decodeLooseObject(file: Buffer, maxBytes: number): LooseObjectOutcome {
  let inflated: Buffer;
  try {
    // With `info` the result contains the buffer and its engine; the type declarations know only the buffer.
    const result = inflateSync(file, { maxOutputLength: maxBytes + MAX_HEADER_BYTES, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (result.engine.bytesWritten !== file.length) return invalid('bytes after the compressed object');
    inflated = result.buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? { kind: 'invalid', reason: `larger than ${maxBytes} bytes`, tooLarge: true }
      : invalid('not a zlib stream');
  }
  const end = inflated.subarray(0, MAX_HEADER_BYTES).indexOf(0);
  const header = end < 0 ? null : /^([a-z]+) (0|[1-9]\d*)$/.exec(inflated.toString('latin1', 0, end));
  const type = OBJECT_TYPES.find((known) => known === header?.[1]);
  if (header === null || type === undefined) return invalid('malformed header');
  const content = inflated.subarray(end + 1);
  if (content.length !== Number(header[2])) return invalid('size differs from its header');
  return { kind: 'ok', object: { type: type satisfies ObjectType, content } };
}

function invalid(reason: string): LooseObjectOutcome {
  return { kind: 'invalid', reason, tooLarge: false };
}
