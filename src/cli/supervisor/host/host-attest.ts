import type { UserDirs } from '../../../contracts/host-layout.ts';
import type { Attest } from '../../../contracts/ports/host-services.ts';
import { anchorKey, approvalPublicKey, attestCommit } from '../../../host/signer/index.ts';
import type { AttestServices } from '../../../host/signer/index.ts';

/** Attests commits of one project with the user's anchor key, after its audit log has been anchored through `anchor`. */
export function hostAttest(
  user: Pick<UserDirs, 'keys' | 'trust'>,
  anchor: AttestServices['anchor'],
  nowMs: () => number,
): Attest {
  const services: AttestServices = {
    key: () => anchorKey(user),
    approver: () => approvalPublicKey(user),
    anchor,
    nowMs,
  };
  return (request) => attestCommit(request, services);
}
