import { gunzipSync } from 'node:zlib';

const BLOCK_BYTES = 512;
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
/** Files, directories, and headers that only say more about the entry that follows. */
const PLAIN_TYPES = new Set(['0', '\0', '', '5', '7', 'x', 'g', 'L', 'K']);
const FILE_TYPES = new Set(['0', '\0', '']);
const LINK_TYPES = new Set(['1', '2']);

/** A file of an archive. */
export interface ArchiveFile {
  /** As the archive has it: `package/index.js`. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly content: Buffer;
}

export type ArchiveOutcome =
  | { readonly kind: 'archive'; readonly files: readonly ArchiveFile[] }
  | { readonly kind: 'unsafe'; readonly why: string };

/**
 * Why a package's archive is not one that is unpacked here, or null. Package managers drop such entries
 * without a message; here they are a reason to refuse the package.
 */
export function whyUnsafeArchive(archive: Buffer): string | null {
  const read = readArchive(archive);
  return read.kind === 'unsafe' ? read.why : null;
}

/** The files of a package's archive, if all of them are what is unpacked here. */
export function readArchive(archive: Buffer): ArchiveOutcome {
  let bytes: Buffer;
  try {
    bytes = gunzipSync(archive, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    return unsafe(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  const files: ArchiveFile[] = [];
  let longName: string | null = null;
  for (let at = 0; at + BLOCK_BYTES <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) break;
    const size = parseInt(textOf(header, 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) return unsafe('it is not a valid archive');
    const type = textOf(header, 156, 1);
    const content = bytes.subarray(at + BLOCK_BYTES, at + BLOCK_BYTES + size);
    at += BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (type === 'L') longName = content.toString('utf8').replace(/\0.*$/s, '');
    else if (type === 'x') longName = paxPath(content.toString('utf8')) ?? longName;
    else {
      const prefix = textOf(header, 345, 155);
      const path: string = longName ?? `${prefix === '' ? '' : `${prefix}/`}${textOf(header, 0, 100)}`;
      const why = whyUnsafeEntry(path, type);
      if (why !== null) return unsafe(why);
      const isExecutable = (parseInt(textOf(header, 100, 8).trim() || '0', 8) & 0o111) !== 0;
      if (FILE_TYPES.has(type)) files.push({ path, isExecutable, content });
      longName = null;
    }
  }
  return { kind: 'archive', files };
}

function unsafe(why: string): ArchiveOutcome {
  return { kind: 'unsafe', why };
}

function whyUnsafeEntry(name: string, type: string): string | null {
  const shown = JSON.stringify(name.slice(0, 200));
  if (LINK_TYPES.has(type)) return `${shown} in it is a link`;
  if (!PLAIN_TYPES.has(type)) return `${shown} in it is neither file nor directory`;
  if (name.startsWith('/') || name.split('/').includes('..')) return `${shown} in it leads out of the package`;
  return null;
}

function paxPath(records: string): string | null {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(`${records}`)?.[1] ?? null;
}

function textOf(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}
