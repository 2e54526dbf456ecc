import { join } from 'node:path';
import type { OpenedDoors } from '../../contracts/ports/host-doors.ts';
import type { EgressEvent, HostRule } from '../egress-gate/index.ts';
import { openEgressGate } from '../egress-gate/index.ts';
import { extraCertificates } from './extra-ca.ts';
import type { KeySources } from './key-store.ts';
import { findKey } from './key-store.ts';
import type { ProviderEndpoint } from './provider-endpoints.ts';
import { openSecretDoor } from './secret-door.ts';

export type DoorEvent = EgressEvent | { readonly kind: 'key-handed-over'; readonly provider: string };

export interface ProviderDoorsOptions {
  /** Host only, one a sandbox, mounted into that sandbox alone. It exists. */
  readonly directory: string;
  readonly endpoint: ProviderEndpoint;
  readonly keys: KeySources;
  /** Told of each decision; it never gets a key or content. */
  readonly log: (event: DoorEvent) => void;
}

/**
 * Opens both doors of a provider's sandbox: the way to its one endpoint, and the key for it. The two belong together, so that a
 * key can go only where it is meant to. Throws as `findKey`, `extraCertificates` and the sockets do, with nothing left open.
 */
export async function openProviderDoors(options: ProviderDoorsOptions): Promise<OpenedDoors> {
  const { directory, endpoint, keys, log } = options;
  const found = await findKey(endpoint, keys);
  const extraCa = await extraCertificates(keys.env);
  const egress = await openEgressDoor(directory, [endpoint.baseUrl.rule], log);
  try {
    const grant = {
      wire: endpoint.wire,
      base_url: endpoint.baseUrl.url,
      api_key: found.kind === 'found' ? found.key : null,
      extra_ca: [...extraCa],
    };
    const onHandedOver = (): void => log({ kind: 'key-handed-over', provider: endpoint.name });
    const secret = await openSecretDoor(join(directory, 'secret.sock'), grant, onHandedOver);
    return { close: async () => void (await Promise.allSettled([egress.close(), secret.close()])) };
  } catch (error) {
    await egress.close();
    throw error;
  }
}

/** The door of a sandbox that has no key: an integration test, with the hosts that the host's own policy allows it. */
export async function openEgressDoor(
  directory: string,
  allow: readonly HostRule[],
  log: (event: EgressEvent) => void,
): Promise<OpenedDoors> {
  const gate = await openEgressGate({ socketPath: join(directory, 'egress.sock'), allow, onDecision: log });
  return { close: async () => void (await Promise.allSettled([gate.close()])) };
}
