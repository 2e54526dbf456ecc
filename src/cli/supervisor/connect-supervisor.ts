import { OLDEST_API_VERSION } from '../../contracts/ipc-message.ts';
import { connectPeer, type RpcPeer } from '../../ipc/index.ts';
import { CLI_HELLO } from '../cli-hello.ts';

/**
 * Connects to a project's supervisor. In the oldest version that is spoken: the supervisor may have been started by the fluffy before this one, and
 * has to be asked to end. Throws as `connectPeer` does.
 */
export function connectSupervisor(socket: string, onPeer: (peer: RpcPeer) => void): Promise<RpcPeer> {
  return connectPeer(socket, { hello: CLI_HELLO, apiVersion: OLDEST_API_VERSION, onPeer });
}
