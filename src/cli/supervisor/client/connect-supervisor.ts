import { OLDEST_API_VERSION } from '../../../contracts/ipc-message.ts';
import { connectPeer, type RpcPeer } from '../../../ipc/index.ts';
import { CLI_HELLO } from '../../cli-hello.ts';

/**
 * Connects to a project's supervisor, with the oldest supported version: the supervisor may have been started by an older fluffy, and must be
 * requested to end. Throws like `connectPeer`.
 */
export function connectSupervisor(socket: string, onPeer: (peer: RpcPeer) => void): Promise<RpcPeer> {
  return connectPeer(socket, { hello: CLI_HELLO, apiVersion: OLDEST_API_VERSION, onPeer });
}
