import { join } from 'node:path';
import { joinsNetwork } from '../../contracts/sandbox/sandbox-programs.ts';
import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import { HOSTS_FILE } from '../../contracts/sandbox/test-network.ts';
import type { KeptContainers } from './kept-containers.ts';

/** The network namespace that a sandbox shares, with its host names. */
export interface JoinedNetwork {
  /** The engine's id of the container that owns it. */
  readonly container: string;
  /** Absolute path, in a directory that L1 does not see. */
  readonly hostsFile: string;
}

export type JoinOutcome =
  | { readonly kind: 'found'; readonly network: JoinedNetwork | null }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The network that a request joins: only that of a `network` sandbox that this guard made for the same session. That container too has only its
 * loopback, and its egress socket is in no other sandbox.
 */
export function findNetwork(
  { program, session, network_of: of }: GuardContainerCreate,
  kept: Pick<KeptContainers, 'find'>,
  socketsRoot: string,
): JoinOutcome {
  const refused = (reason: string): JoinOutcome => ({ kind: 'refused', reason });
  if (of === undefined) return { kind: 'found', network: null };
  if (!joinsNetwork(program)) return refused(`${program} shares no network`);
  const found = kept.find(of);
  if (found?.program !== 'network' || found.session !== session || found.id === null)
    return refused('no network of this session');
  return { kind: 'found', network: { container: found.id, hostsFile: join(socketsRoot, of, HOSTS_FILE) } };
}
