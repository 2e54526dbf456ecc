import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { KernelClient } from '../../kernel-client/kernel-client.ts';

/** A connection that, unlike a session's, is not restored when it ends: a proposal ends with its connection. */
export async function connectPolicyKernel(socket: string): Promise<KernelClient> {
  const { promise: givenUp, resolve } = Promise.withResolvers<FluffyError>();
  return KernelClient.connect({
    socket,
    onEvent: () => undefined,
    onReconnect: () => resolve(connectionEnded()),
    givenUp,
  });
}

function connectionEnded(): FluffyError {
  return new FluffyError({
    code: 'kernel_lost',
    what: 'The kernel ended',
    why: 'its connection ended while the policy was being changed',
    fix: 'Run the command again; fluffy config policy show prints the policy in force',
    exitCode: EXIT.kernelCrashed,
  });
}
