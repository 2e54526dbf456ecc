import type { Socket } from 'node:net';

/** Who made a connection, as the operating system knows it. `pid` is 0 for a process of another pid namespace. */
export interface PeerIdentity {
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
}

type GetSocketOption = (fd: number, level: number, name: number, value: Buffer, length: number[]) => number;

const LINUX = { SOL_SOCKET: 1, SO_PEERCRED: 17, bytes: 12 };
const DARWIN = { SOL_LOCAL: 0, LOCAL_PEERCRED: 1, LOCAL_PEERPID: 2, credentialBytes: 76 };

/**
 * Identity of the process at the other end of a Unix socket, taken when it connected. Null when the system can't say: the
 * socket is closed, or the platform has no such call. koffi is loaded at the first call, so that programs that never ask
 * do without it.
 */
export async function getPeerIdentity(socket: Socket): Promise<PeerIdentity | null> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return null;
  const getSocketOption = await loadGetSocketOption();
  const fd = fileDescriptorOf(socket);
  if (fd === null) return null;
  return process.platform === 'linux' ? askLinux(getSocketOption, fd) : askDarwin(getSocketOption, fd);
}

function askLinux(getSocketOption: GetSocketOption, fd: number): PeerIdentity | null {
  const credentials = ask(getSocketOption, fd, LINUX.SOL_SOCKET, LINUX.SO_PEERCRED, LINUX.bytes);
  return credentials === null ? null : parseUcred(credentials);
}

function askDarwin(getSocketOption: GetSocketOption, fd: number): PeerIdentity | null {
  const credentials = ask(getSocketOption, fd, DARWIN.SOL_LOCAL, DARWIN.LOCAL_PEERCRED, DARWIN.credentialBytes);
  const pid = ask(getSocketOption, fd, DARWIN.SOL_LOCAL, DARWIN.LOCAL_PEERPID, 4);
  return credentials === null ? null : parseXucred(credentials, pid?.readInt32LE(0) ?? 0);
}

/** `struct ucred` of Linux: pid, uid, gid. */
export function parseUcred(bytes: Buffer): PeerIdentity {
  return { pid: bytes.readInt32LE(0), uid: bytes.readUInt32LE(4), gid: bytes.readUInt32LE(8) };
}

/** `struct xucred` of macOS: version, uid, number of groups (16 bits, padded), groups; the first group is the effective one. */
export function parseXucred(bytes: Buffer, pid: number): PeerIdentity | null {
  const knownVersion = bytes.readUInt32LE(0) === 0;
  const groups = bytes.readInt16LE(8);
  return knownVersion && groups > 0 ? { pid, uid: bytes.readUInt32LE(4), gid: bytes.readUInt32LE(12) } : null;
}

function ask(call: GetSocketOption, fd: number, level: number, name: number, bytes: number): Buffer | null {
  const value = Buffer.alloc(bytes);
  return call(fd, level, name, value, [bytes]) === 0 ? value : null;
}

async function loadGetSocketOption(): Promise<GetSocketOption> {
  const { default: koffi } = await import('koffi');
  const call: unknown = koffi.load(null).func('int getsockopt(int, int, int, _Out_ void *, _Inout_ uint32_t *)');
  return call as GetSocketOption;
}

/** Node keeps the descriptor on the socket's handle, which has no public name. */
function fileDescriptorOf(socket: Socket): number | null {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return null;
  const fd: unknown = Reflect.get(handle, 'fd');
  return typeof fd === 'number' && fd >= 0 ? fd : null;
}
